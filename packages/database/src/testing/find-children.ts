// The processes that a process has started, as /proc shows them: on Linux only.
import { readdir, readFile } from 'node:fs/promises';

export async function findChildren(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const parents = await Promise.all(pids.map(readParent));
  return pids.filter((_, index) => parents[index] === parent);
}

/** The fields after the name of the program, which may hold spaces: state, then the parent (proc(5)). */
async function readParent(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
