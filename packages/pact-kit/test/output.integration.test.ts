import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';

const MAIN = new URL('../src/cli/main.ts', import.meta.url).pathname;
const PACT = new URL('../../../contracts/pacts/game-client-muster.json', import.meta.url).pathname;

it.skipIf(process.platform !== 'linux')(
  'a report that finds no room is said in one sentence and is no success',
  () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'states'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^The output cannot be written: .*\n$/);
  },
);

it('a temporary folder that cannot be made is said in one sentence', () => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'verify', PACT], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: '/nonexistent', TEMP: '/nonexistent' },
  });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^No temporary folder can be made in .*\n$/);
});
