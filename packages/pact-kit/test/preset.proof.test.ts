import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './verify-for-test.ts';

const CONSUMER = fileURLToPath(new URL('./consumer', import.meta.url));
const VITEST = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);

const runConsumer = async (pacts: string, tests: readonly string[]) => {
  const child = spawn(process.execPath, [VITEST, 'run', '--root', CONSUMER], {
    cwd: CONSUMER,
    env: { ...process.env, CONSUMER_PACTS: pacts, CONSUMER_TESTS: tests.join(',') },
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [[code], out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, output: out + err };
};

const readPact = (folder: string) =>
  readFileSync(join(folder, 'history-mirror-muster.json'), 'utf8');

describe('the preset for consumers', () => {
  it('writes the interactions of all files into one pact, the same whatever their order, without old ones', async () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()];
    const old = { consumer: { name: 'old' }, provider: { name: 'muster' }, interactions: [] };
    writeFileSync(join(one, 'old-muster.json'), JSON.stringify(old));
    writeFileSync(join(one, 'package.json'), '{}');
    expect((await runConsumer(one, ['item.pact-test.ts', 'xp.pact-test.ts'])).code).toBe(0);
    expect((await runConsumer(other, ['xp.pact-test.ts', 'item.pact-test.ts'])).code).toBe(0);
    expect(readPact(one)).toBe(readPact(other));
    const { interactions, metadata } = JSON.parse(readPact(one));
    const descriptions = interactions.map(
      ({ description }: { description: string }) => description,
    );
    expect(descriptions).toEqual(['a history of the item', 'a history of the xp']);
    expect(metadata).toEqual({ pactSpecification: { version: '4.0' } });
    expect(readdirSync(one).sort()).toEqual(['history-mirror-muster.json', 'package.json']);
  });

  it('fails the run that lost an interaction, and names it', async () => {
    const { code, output } = await runConsumer(temporaryFolder(), [
      'item.pact-test.ts',
      'forgotten.pact-test.ts',
    ]);
    expect(code).toBe(1);
    expect(output).toContain('history-mirror → muster: a forgotten history');
    expect(output).not.toContain('a history of the item\n');
  });
});
