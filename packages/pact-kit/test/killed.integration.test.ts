// A kit that is killed the moment something of it exists leaves no folder and no process. Linux only, as it reads /proc.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startLocalServer } from '../src/local-server.ts';
import { temporaryFolder } from './verify-for-test.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const KIT = at('../src/cli/main.ts');
const PACT = at('../../../contracts/pacts/game-client-muster.json');

/** Loaded ahead of the kit: it dies as it has made its first folder or started its first process. */
const DIES_EARLY = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import child from 'node:child_process';
  import { syncBuiltinESMExports } from 'node:module';
  const lastOf = (call) => (...args) => {
    call(...args);
    process.kill(process.pid, 'SIGKILL');
  };
  fs.mkdtempSync = lastOf(fs.mkdtempSync);
  fs.mkdirSync = lastOf(fs.mkdirSync);
  child.spawn = lastOf(child.spawn);
  syncBuiltinESMExports();
`)}`;

const readCommand = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

const runKilled = async (...options: readonly string[]) => {
  const TMPDIR = temporaryFolder();
  chmodSync(TMPDIR, 0o755);
  const kit = spawn(process.execPath, ['--import', DIES_EARLY, KIT, 'verify', PACT, ...options], {
    env: { ...process.env, TMPDIR },
    stdio: 'ignore',
  });
  expect(await once(kit, 'exit')).toEqual([null, 'SIGKILL']);
  const isRunning = () =>
    readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && readCommand(pid).includes(TMPDIR));
  await expect.poll(isRunning, { timeout: 30_000 }).toBe(false);
  return readdirSync(TMPDIR);
};

it.skipIf(process.platform !== 'linux')('leaves nothing of a service of its own', async () => {
  expect(await runKilled()).toEqual([]);
});

it.skipIf(process.platform !== 'linux')('leaves nothing beside a running service', async () => {
  const { port, close } = await startLocalServer((_request, response) => response.end());
  try {
    const service = ['--provider-url', `http://127.0.0.1:${port}`, '--secret', 'x'.repeat(32)];
    expect(await runKilled(...service)).toEqual([]);
  } finally {
    await close();
  }
});
