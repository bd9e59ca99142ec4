// A data folder for one proof, and the PostgreSQL of its own that works in it.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type ProofFolder = {
  root: string;
  dataDir: string;
  /** The process id of the PostgreSQL in it; null where none runs. */
  findPostgres(): number | null;
  /** Stops a PostgreSQL that was left behind, and removes everything. */
  remove(): void;
};

const made = new Set<ProofFolder>();

export const makeProofFolder = (): ProofFolder => {
  const root = mkdtempSync(join(tmpdir(), 'muster-runtimes-'));
  // Started as root, PostgreSQL runs as a user of its own, who must be able to get in.
  chmodSync(root, 0o755);
  const dataDir = join(root, 'data');
  const findPostgres = () => readPostmaster(join(dataDir, 'postgres/cluster/postmaster.pid'));
  const folder: ProofFolder = {
    ...{ root, dataDir, findPostgres },
    remove: () => {
      const pid = findPostgres();
      // PostgreSQL's fast shutdown.
      if (pid !== null) process.kill(pid, 'SIGINT');
      rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      made.delete(folder);
    },
  };
  made.add(folder);
  return folder;
};

export const removeProofFolders = (): void => {
  for (const folder of made) folder.remove();
};

const readPostmaster = (file: string): number | null => {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
};
