import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runQuietlyWithin } from './run-program.mjs';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-run-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that ends only when the file exists, which its first run makes. */
const hangOnce = (file: string) =>
  run(
    `
    const { existsSync, writeFileSync } = require('node:fs');
    const [file] = process.argv.slice(1);
    if (existsSync(file)) console.log('done');
    else setInterval(() => {}, 1000), writeFileSync(file, '');
  `,
    file,
  );

const run = (code: string, ...args: string[]) => ({
  command: process.execPath,
  args: ['-e', code, ...args],
});

test('a program that hangs is stopped and started once more', async () => {
  const file = join(folder, 'started');
  const result = await runQuietlyWithin(hangOnce(file), { name: 'The build', seconds: 3 });
  expect(existsSync(file)).toBe(true);
  expect(result).toEqual({ code: 0, output: 'done\n' });
});

test('a program that hangs twice ends with an explanation', async () => {
  const hanging = run('setInterval(() => {}, 1000)');
  await expect(runQuietlyWithin(hanging, { name: 'The build', seconds: 0.2 })).rejects.toThrow(
    /^The build did not end, twice \(see above\)\. Run the command again/,
  );
});

test('a program that fails in time is not started again', async () => {
  const failing = run('console.error("wrong"); process.exit(3)');
  expect(await runQuietlyWithin(failing, { name: 'The build', seconds: 30 })).toEqual({
    code: 3,
    output: 'wrong\n',
  });
});
