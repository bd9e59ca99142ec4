// What a commit waits for: the file system of a folder, and how long it takes to flush a small write there.
import { mkdtemp, open, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { median } from '../results/statistics.ts';

export type Disk = {
  /** Such as `ext4` or `tmpfs`; absent where the system does not tell. */
  fileSystem?: string;
  syncedWriteBytes: number;
  /** Median time of writing so many bytes at the end of a file, with fsync. */
  syncedWriteMs: number;
};

/** A page of PostgreSQL's log: the least that a commit writes. */
const WRITE_BYTES = 8_192;
const WRITES = 51;

export const describeDisk = async (folder: string): Promise<Disk> => {
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '');
  const fileSystem = findFileSystem(mounts, await realpath(folder));
  return {
    ...(fileSystem && { fileSystem }),
    syncedWriteBytes: WRITE_BYTES,
    syncedWriteMs: await measureSyncedWrite(folder),
  };
};

/** The type of the deepest mount above the folder; of several at one place, the last one hides the others. */
export const findFileSystem = (mounts: string, folder: string): string | undefined => {
  const above = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, place = '']) => `${folder}/`.startsWith(place === '/' ? place : `${place}/`));
  const deepest = Math.max(...above.map(([, place = '']) => place.length));
  return above.findLast(([, place]) => place?.length === deepest)?.[2];
};

const measureSyncedWrite = async (folder: string): Promise<number> => {
  const scratch = await mkdtemp(join(folder, 'muster-bench-disk-'));
  try {
    const file = await open(join(scratch, 'written'), 'w');
    try {
      const page = Buffer.alloc(WRITE_BYTES, 1);
      const durations: number[] = [];
      for (let write = 0; write < WRITES; write += 1) {
        const startedAt = performance.now();
        await file.write(page);
        await file.sync();
        durations.push(performance.now() - startedAt);
      }
      return median(durations);
    } finally {
      await file.close();
    }
  } finally {
    await rm(scratch, { recursive: true });
  }
};
