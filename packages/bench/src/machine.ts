// What the numbers were measured on.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** What a run writes is no change of what it measures. */
const BUT_RESULTS = ['--', ':/', ':!/docs/benchmarks.md', ':!/packages/bench/results'];

const git = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('git', args)).stdout.trim();

const describeCommit = async (): Promise<string> => {
  const commit = await git('rev-parse', '--short', 'HEAD');
  const changes = await git('status', '--porcelain', ...BUT_RESULTS);
  return changes === '' ? commit : `${commit} with uncommitted changes`;
};

export type Machine = Awaited<ReturnType<typeof describeMachine>>;

export const describeMachine = async () => {
  const commit = await describeCommit().catch(() => null);
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cpus: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    /** The commit that was measured, where git can tell, and whether the files differ from it. */
    ...(commit && { commit }),
  };
};

// CPU time and memory of processes as Linux counts them, from /proc (man 5 proc). Elsewhere there is none of it.

/** USER_HZ, which is 100 on every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100;

type ProcessTimes = { parent: number; own: number; reapedChildren: number };

/** The name in the second field may hold spaces and brackets: fields are counted after its last bracket. */
export const readStat = (stat: string): ProcessTimes => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (field: number) => Number(fields[field - 3]) / TICKS_PER_SECOND;
  return {
    parent: Number(fields[1]),
    own: seconds(14) + seconds(15),
    reapedChildren: seconds(16) + seconds(17),
  };
};

const findTimes = async (pid: number | string): Promise<ProcessTimes | null> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat === null ? null : readStat(stat);
};

/**
 * Seconds of CPU of a process and its children, the ended ones included; null without /proc. For PostgreSQL: the
 * postmaster and everything that it has started.
 */
export const readCpuSeconds = async (pid: number): Promise<number | null> => {
  const root = await findTimes(pid);
  if (!root) return null;
  const names = await readdir('/proc');
  const all = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(findTimes));
  const children = all.filter((times) => times?.parent === pid);
  const running = children.reduce((sum, times) => sum + (times?.own ?? 0), 0);
  return root.own + root.reapedChildren + running;
};

/** Resident memory in bytes, or the highest since the process started (`VmHWM`); null without /proc. */
export const readResidentBytes = async (
  pid: number,
  field: 'VmRSS' | 'VmHWM' = 'VmRSS',
): Promise<number | null> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status);
  return found ? Number(found[1]) * 1024 : null;
};

/** What the last variant has left to do, such as collecting its garbage, is not measured with the next one. */
export const settle = () => delay(200);
