// Backs up all data of the service into one file while it runs, and restores it into an empty database.
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  backUp,
  makeFolders,
  reachEmbeddedPostgres,
  restoreIntoDatabase,
  restoreIntoFolder,
  verifyArchive,
} from '@muster/database';
import {
  assertSecretsFit,
  examineDataDir,
  loadConfig,
  readLocalSecrets,
  StartError,
  withUserMessage,
  writeLocalSecrets,
} from '../platform/index.ts';
import { toFileTime } from './file-time.ts';
import { UsageError } from './usage-error.ts';

export const runBackup = ({ to }: { to?: string }): Promise<void> =>
  runInterruptibly(async (signal) => {
    const path = resolve(to ?? join('backups', `muster-${toFileTime(new Date())}.tar`));
    const { databaseUrl, dataDir } = loadConfig(process.env);
    const own = databaseUrl ? null : await reachEmbeddedPostgres({ dataDir, onProgress: report });
    try {
      await withUserMessage(`Cannot write ${path}`, () => makeFolders(dirname(path), 0o700));
      const secrets = await readLocalSecrets(dataDir);
      const url = databaseUrl ?? own?.url ?? '';
      const archive = await backUp({ url, path, secrets, onProgress: report, signal });
      process.stdout.write(
        `${path}\n${(archive.bytes / 1e6).toFixed(1)} MB, ${describeRows(archive.rows)}\n` +
          `taken at ${archive.takenAt.toISOString()}, sha256 ${archive.sha256}\n`,
      );
    } finally {
      await own?.stop();
    }
  });

/** With `check` it reads and verifies the archive, and writes nothing. */
export const runRestore = ({ from, check }: { from?: string; check?: true }): Promise<void> =>
  runInterruptibly(async (signal) => {
    if (!from) throw new UsageError('--from is required: the archive');
    const path = resolve(from);
    const config = loadConfig(process.env);
    const { databaseUrl, dataDir } = config;
    report(`Reading ${path}`);
    const archive = await verifyArchive(path);
    const { manifest, summary, secrets } = archive;
    const facts = `${path}: taken at ${manifest.taken_at}, ${describeRows(summary.rows)}`;
    if (check) {
      process.stdout.write(`${facts}. It is complete.\n`);
      return;
    }
    await assertSecretsFit(dataDir, secrets);
    // Fails now rather than after the rows are restored.
    if (secrets.size > 0 || !databaseUrl) {
      const { problem } = await examineDataDir(config);
      if (problem) throw new StartError(problem);
    }
    const beforeEnd = () => writeLocalSecrets(dataDir, secrets);
    const options = { archive, onProgress: report, beforeEnd, signal };
    const { unfinished } = databaseUrl
      ? await restoreIntoDatabase({ ...options, url: databaseUrl })
      : await restoreIntoFolder({ ...options, dataDir });
    process.stdout.write(`${facts}. Restored.\n`);
    if (unfinished === undefined) return;
    process.exitCode = NOT_FINISHED;
    report(
      `All data is restored. The remaining steps were not finished (${unfinished}): the next start applies missing migrations, and PostgreSQL updates its statistics automatically.`,
    );
  });

const NOT_FINISHED = 3;

/**
 * A signal aborts the work, which then rolls back; the exit code identifies the signal. Work that has finished by then
 * succeeds.
 */
const runInterruptibly = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
  const interruption = new AbortController();
  let exitCode: number | undefined;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      exitCode = 128 + constants.signals[name];
      interruption.abort(new Error('Stopped early: nothing was kept.'));
    });
  }
  try {
    await work(interruption.signal);
  } catch (error) {
    if (interruption.signal.aborted) process.exitCode = exitCode;
    if (error !== interruption.signal.reason) throw error;
    report((error as Error).message);
  }
};

/** Progress and failures; standard output is for results. */
const report = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
};

const describeRows = (rows: Record<string, number>): string => {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const { catalogue_version = 0, session = 0, session_seat = 0 } = rows;
  return `${total} rows: ${catalogue_version} versions, ${session} sessions with ${session_seat} seats`;
};
