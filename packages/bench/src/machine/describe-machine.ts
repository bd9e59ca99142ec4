// What the numbers were measured on.
import { execFile } from 'node:child_process';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import type { Disk } from './describe-disk.ts';
import { describeDisk } from './describe-disk.ts';

export type Machine = {
  cpu: string;
  cpus: number;
  memoryGiB: number;
  system: string;
  node: string;
  /** The commit that was measured, where git can tell, and whether the files differ from it. */
  commit?: string;
  /** Of the folder in which the databases lie. */
  disk?: Disk;
};

/** What a run writes is no change of what it measures. */
const BUT_RESULTS = ['--', ':/', ':!/docs/benchmarks.md', ':!/packages/bench/results'];

const git = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('git', args)).stdout.trim();

const describeCommit = async (): Promise<string> => {
  const commit = await git('rev-parse', '--short', 'HEAD');
  const changes = await git('status', '--porcelain', ...BUT_RESULTS);
  return changes === '' ? commit : `${commit} with uncommitted changes`;
};

/** `dataFolder` is where the databases lie. */
export const describeMachine = async (dataFolder: string): Promise<Machine> => {
  const commit = await describeCommit().catch(() => null);
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cpus: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    ...(commit && { commit }),
    disk: await describeDisk(dataFolder),
  };
};
