// What the numbers were measured on.
import { execFile } from 'node:child_process';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { promisify } from 'node:util';

export type Machine = {
  cpu: string;
  cpus: number;
  memoryGiB: number;
  system: string;
  node: string;
  /** The commit that was measured, where git can tell. */
  commit?: string;
};

export const describeMachine = async (): Promise<Machine> => {
  const commit = await promisify(execFile)('git', ['rev-parse', '--short', 'HEAD']).catch(
    () => null,
  );
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cpus: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    ...(commit && { commit: commit.stdout.trim() }),
  };
};
