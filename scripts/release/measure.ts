// Sizes and times of what a release gives people, each with its bound.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { copyProject, pickNetworkSettings } from '../runtimes/prove-clone.ts';
import { startService } from '../runtimes/service-process.ts';
import { ROOT, report, SetupError } from '../setup/repository.mjs';
import { machineEnvironment } from '../setup/runtime.mjs';
import { isRootOnDebian } from '../test/provide-programs.ts';
import { buildImage } from './container.ts';

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
    for (let round = 0; round < 4; round += 1)
      times.push(
        await timeStart(project, process.execPath, ['node_modules/@muster/server/bin/muster.js']),
      );
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

/** The image as registries transfer it; none where it cannot be built. */
export const measureImage = (packed: string): Measure[] => {
  if (!isRootOnDebian()) {
    report('The size of the image is left out: it is built and measured by root on Debian.');
    return [];
  }
  report('Building the image …');
  let image: ReturnType<typeof buildImage>;
  try {
    image = buildImage(packed);
  } catch (error) {
    report(`The size of the image is left out, since it cannot be built here: ${error}`);
    return [];
  }
  image.remove();
  return [
    { what: 'the image, compressed', value: image.compressedBytes / 1e6, bound: 120, unit: 'MB' },
  ];
};

/** The last commit before a start left out what only development needs. */
const BEFORE = '602710f';

/** The size of what `npm start` installs in a clone, and its time relative to the earlier version: seconds would depend on the machine. */
export const measureClone = async (): Promise<Measure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-clone-'));
  chmodSync(folder, 0o755);
  try {
    const before = archive(BEFORE, folder);
    const [now, old]: [number[], number[]] = [[], []];
    // In turns, so that a busy minute meets both; the first round fills the cache of npm, and the faster one counts.
    for (let round = 0; round < 2; round += 1) {
      now.push(await startClone(join(folder, `now-${round}`), copyProject));
      if (before) old.push(await startClone(join(folder, `before-${round}`), before));
    }
    const [value, then] = [Math.min(...now), Math.min(...old)];
    report(`A clone was ready after ${value.toFixed(0)} s, its packages installed.`);
    const megabytes = sizeOf(join(folder, 'now-0'));
    const size = { what: 'installed in a clone', value: megabytes, bound: 450, unit: 'MB' };
    const what = `a start, of the ${then.toFixed(0)} s of ${BEFORE}`;
    const share = { what, value: (100 * value) / then, bound: 60, unit: '%' };
    return before ? [size, share] : [size];
  } finally {
    // npm may have ended before what it started.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
};

/** Fills folders with that commit; null, with a sentence, where the history does not reach back to it. */
const archive = (commit: string, folder: string): ((clone: string) => void) | null => {
  const file = join(folder, 'before.tar');
  const { status } = spawnSync('git', ['archive', '--output', file, commit], { cwd: ROOT });
  if (status === 0) return (clone) => void run('tar', ['-xf', file, '-C', clone], clone);
  report(`The start of a clone is not compared: this is a shallow clone without ${commit}.`);
  return null;
};

/** Seconds. */
const startClone = async (clone: string, fill: (clone: string) => void): Promise<number> => {
  report(`Starting a clone, ${basename(clone)} …`);
  mkdirSync(clone);
  fill(clone);
  return (await timeStart(clone, 'npm', ['start'])) / 1_000;
};

const START_MS = 600_000;

/** Milliseconds from the start of the process until it is ready. */
const timeStart = async (cwd: string, command: string, args: string[]): Promise<number> => {
  const { PATH } = machineEnvironment();
  // The settings of the person who releases must not affect the measurement.
  const env = { ...pickNetworkSettings(), PATH, DATA_DIR: join(cwd, 'data'), PORT: '0' };
  const service = await startService({ command, args, cwd }, env, START_MS);
  service.signalAll('SIGTERM');
  await service.ended;
  return service.readyMs;
};
