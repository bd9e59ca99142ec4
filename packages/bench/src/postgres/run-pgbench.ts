// Runs pgbench where the machine has one: it is not among the binaries that the service brings along.
import { execFile } from 'node:child_process';
import { access, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KEYED_POOL_SETTINGS } from '@muster/database';
import type { PgbenchPlan } from '../peers/pgbench-script.ts';
import { writePgbenchScript } from '../peers/pgbench-script.ts';
import { stopSignal } from '../stopping/acquire.ts';
import { makeScratchFolder } from '../stopping/scratch-folder.ts';

const run = promisify(execFile);

/** Debian keeps it beside the server of each release. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** The newest pgbench of this machine, or null. */
export const findPgbench = async (): Promise<string | null> => {
  const releases = await readdir(DEBIAN_FOLDER).catch(() => []);
  const newest = releases.sort((left, right) => Number(right) - Number(left));
  const candidates = newest.map((release) => join(DEBIAN_FOLDER, release, 'bin', 'pgbench'));
  const inPath = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'pgbench'));
  for (const file of [...candidates, ...inPath]) {
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return null;
};

/** Its connections are opened as the service opens those that it joins through. */
export const PGOPTIONS = Object.entries(KEYED_POOL_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

export type PgbenchResult = {
  transactions: number;
  /** Mean of the whole seconds after the first one, in which the connections plan their statements and fill their caches. */
  perSecond: number;
  version: string;
};

export const runPgbench = async (
  program: string,
  url: string,
  plan: PgbenchPlan,
  seconds: number,
): Promise<PgbenchResult> => {
  const folder = makeScratchFolder();
  const runScript = async (text: string, end: readonly string[]): Promise<string> => {
    const script = join(folder.path, 'script.sql');
    await writeFile(script, text);
    const how = ['--no-vacuum', '--protocol=prepared', '--define=n=-1', `--file=${script}`];
    const load = [`--client=${plan.clients}`, '--jobs=2', ...end];
    const env = { ...process.env, PGOPTIONS };
    const { stdout, stderr } = await run(program, [...how, ...load, url], {
      env,
      signal: stopSignal,
    });
    return `${stdout}${stderr}`;
  };
  try {
    // Its clock starts before its clients connect. One second more is left out, and up to one until the next report.
    const connecting = readConnectionSeconds(await runScript('SELECT 1;', ['--transactions=1']));
    const time = Math.ceil(2 * connecting + 2 + seconds);
    const end = [`--time=${time}`, '--progress=1'];
    return readPgbenchOutput(await runScript(writePgbenchScript(plan), end));
  } finally {
    await folder.stop();
  }
};

const readConnectionSeconds = (output: string): number =>
  Number(/initial connection time = ([\d.]+) ms/.exec(output)?.[1] ?? 0) / 1_000;

const WARM_UP_SECONDS = 1;

/** Transactions in each second that began when all connections had worked for a while. */
const readWarmSeconds = (output: string): number[] => {
  const from = readConnectionSeconds(output) + WARM_UP_SECONDS;
  const reports = [...output.matchAll(/^progress: ([\d.]+) s, ([\d.]+) tps/gm)];
  return reports
    .map(([, , tps], at) => ({ start: Number(reports[at - 1]?.[1] ?? 0), tps: Number(tps) }))
    .filter(({ start }) => start >= from)
    .map(({ tps }) => tps);
};

export const readPgbenchOutput = (output: string): PgbenchResult => {
  const transactions = /transactions actually processed: (\d+)/.exec(output)?.[1];
  const warm = readWarmSeconds(output);
  const version = /^pgbench \(([\d.]+)/.exec(output)?.[1] ?? 'unknown';
  if (!transactions || warm.length === 0) throw new Error(`pgbench said: ${output}`);
  const perSecond = warm.reduce((sum, tps) => sum + tps, 0) / warm.length;
  return { transactions: Number(transactions), perSecond, version };
};
