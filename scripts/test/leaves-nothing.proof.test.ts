// However a run of tests ends, no process of it is left: no PostgreSQL, no service, no browser. Linux only, as it reads /proc.
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../setup/repository.mjs';

/** Starts a PostgreSQL for the run, and a service with a PostgreSQL of its own. */
const TEST = 'packages/client/test/real-service';
const POSTGRES_COUNT = 2;

type Process = { pid: number; parent: number; command: string; environment: string };

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
};

const listProcesses = (): Process[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .flatMap((pid) => {
      const stat = read(pid, 'stat');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (stat === '' || state === 'Z') return [];
      const command = read(pid, 'cmdline').replaceAll('\0', ' ');
      return [{ pid, parent: Number(parent), command, environment: read(pid, 'environ') }];
    });

const startRunner = (command: string, args: readonly string[]): ChildProcess => {
  const { npm_lifecycle_event: _own, ...env } = process.env;
  const child = spawn(command, args, { cwd: ROOT, env, detached: true, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGTERM'));
  return child;
};

/** The reaper's argument; the reaper is a child of the runner, which is npm's child or npm itself. */
const findFolder = (starter: number): string | undefined => {
  const all = listProcesses();
  const family = all.filter(({ pid, parent }) => [pid, parent].includes(starter));
  const pids = new Set([starter, ...family.map(({ pid }) => pid)]);
  const reaper = all.find(
    ({ parent, command }) => pids.has(parent) && command.includes('reaper.mjs'),
  );
  return reaper?.command.trim().split(' ').at(-1);
};

const listOf = (folder: string): string[] =>
  listProcesses()
    .filter(({ environment, command }) => environment.includes(folder) || command.includes(folder))
    .map(({ command }) => command);

const RUNNER = {
  what: 'the runner',
  command: process.execPath,
  args: ['scripts/run.mjs', 'test', TEST],
};
const NPM = { what: 'npm', command: 'npm', args: ['test', '--', TEST] };

test.each([
  { ...RUNNER, signal: 'SIGINT' },
  { ...RUNNER, signal: 'SIGTERM' },
  { ...RUNNER, signal: 'SIGKILL' },
  { ...NPM, signal: 'SIGTERM' },
  { ...NPM, signal: 'SIGKILL' },
] as const)(
  '$what ended by $signal in the middle of a run leaves nothing',
  async ({ command, args, signal }) => {
    const starter = startRunner(command, args);
    const pid = starter.pid ?? 0;
    const exited = once(starter, 'exit');
    await expect.poll(() => findFolder(pid), { timeout: 60_000 }).toBeDefined();
    const folder = findFolder(pid) ?? '';
    const isServed = () => {
      const commands = listOf(folder);
      const servers = commands.filter((command) => /\/postgres .*-D/.test(command));
      return (
        servers.length >= POSTGRES_COUNT && commands.some((one) => one.includes('api/src/main'))
      );
    };
    await expect.poll(isServed, { timeout: 120_000, interval: 100 }).toBe(true);
    process.kill(pid, signal);
    await exited;
    await expect.poll(() => listOf(folder), { timeout: 40_000 }).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  },
);

test('a run that is over its limit of time succeeds, and lists the file that did not end', async () => {
  const { npm_lifecycle_event: _own, ...env } = process.env;
  const { stdout } = await promisify(execFile)(RUNNER.command, RUNNER.args, {
    cwd: ROOT,
    env: { ...env, TEST_MINUTES: '0.05' },
  });
  expect(stdout).toMatch(/for lack of time\n +packages\/client\/test\/real-service/);
});
