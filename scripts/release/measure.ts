// Sizes and times of what a release gives people, each with its bound.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../runtimes/service-process.ts';
import { report, SetupError } from '../setup/repository.mjs';
import { machineEnvironment } from '../setup/runtime.mjs';

type Measure = { what: string; value: number; bound: number; unit: string };

/** Its standard output. Throws SetupError where it fails. */
export const run = (command: string, args: readonly string[], cwd: string): string => {
  const options = { cwd, encoding: 'utf8', env: machineEnvironment(), maxBuffer: 2 ** 26 } as const;
  const { status, stdout, stderr } = spawnSync(command, args, options);
  if (status !== 0) throw new SetupError(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
};

/** Installs the packed server as its users do, and starts it. */
export const measureServer = async (packed: string): Promise<Measure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-release-'));
  // Root's PostgreSQL runs as another user, who has to reach its programs.
  chmodSync(folder, 0o755);
  try {
    const measures = [
      install(packed, folder, 'without PostgreSQL', 60, ['--omit=optional']),
      install(packed, folder, 'with PostgreSQL', 130, []),
    ];
    report('Starting the installed service …');
    const project = join(folder, 'with PostgreSQL');
    const times: number[] = [];
    // The first start makes the database; the fastest of the others shows the time of the service on an idle machine.
    for (let round = 0; round < 4; round += 1) times.push(await timeStart(project));
    const value = Math.min(...times.slice(1)) / 1_000;
    return [...measures, { what: 'ready after', value, bound: 2, unit: 's' }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const install = (
  packed: string,
  folder: string,
  name: string,
  bound: number,
  options: string[],
): Measure => {
  report(`Installing the server ${name} …`);
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  run('npm', ['install', ...quiet, ...options, packed], project);
  return { what: `installed ${name}`, value: sizeOf(project), bound, unit: 'MB' };
};

/** Megabytes of what is installed there. */
const sizeOf = (project: string): number =>
  Number(run('du', ['-sk', 'node_modules'], project).split('\t')[0]) / 1_024;

/** Milliseconds from the start of the process until it is ready. Settings of the caller must not affect the measurement. */
const timeStart = async (cwd: string): Promise<number> => {
  const args = ['node_modules/@muster/server/bin/muster.js'];
  const { PATH = '' } = machineEnvironment();
  const env = { PATH, DATA_DIR: join(cwd, 'data'), PORT: '0' };
  const service = await startService({ command: process.execPath, args, cwd }, env);
  service.signalAll('SIGTERM');
  await service.ended;
  return service.readyMs;
};
