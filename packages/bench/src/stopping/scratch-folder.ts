// Folders of a run, removed at its end, or by the next run where it was killed: each carries the process id of its owner.
import { chmodSync, mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '@muster/database';
import { acquire } from './acquire.ts';
import { killPostgresIn } from './kill-postgres-in.ts';

const PREFIX = 'muster-bench-';
const OWNED = new RegExp(`^${PREFIX}(\\d+)-`);

export type ScratchFolder = { path: string; stop: () => Promise<void> };

/** At once and not later: no signal comes between making the folder and remembering it. */
export const makeScratchFolder = (): ScratchFolder => {
  const { thing, release } = acquire(() => {
    const path = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
    // Root runs PostgreSQL as another user, who has to pass through.
    chmodSync(path, 0o711);
    return path;
  }, removeFolder);
  return { path: thing, stop: release };
};

/** What runs that were killed have left. Their own servers end with them; PostgreSQL does not. */
export const removeAbandonedFolders = async (): Promise<void> => {
  const names = await readdir(tmpdir());
  const abandoned = names.filter((name) => {
    const owner = OWNED.exec(name)?.[1];
    return owner !== undefined && !isAlive(Number(owner));
  });
  await Promise.allSettled(abandoned.map((name) => removeFolder(join(tmpdir(), name))));
};

/** A service that had to be killed has left its PostgreSQL there, which may still be writing. */
const removeFolder = async (path: string): Promise<void> => {
  await killPostgresIn(path);
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
};
