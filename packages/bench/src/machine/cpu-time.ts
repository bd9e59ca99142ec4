// CPU time and memory of processes as Linux counts them, from /proc (man 5 proc). Elsewhere there is none of it.
import { readdir, readFile } from 'node:fs/promises';

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

/** Resident memory in bytes; null without /proc. */
export const readResidentBytes = async (pid: number): Promise<number | null> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  return found ? Number(found[1]) * 1024 : null;
};
