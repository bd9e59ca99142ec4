// The command lines of the backup and the restore program.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** How the program is meant to be called. Exit code 2. */
export class BackupUsageError extends Error {
  override readonly name = 'BackupUsageError';
}

export const BACKUP_USAGE = `usage: npm run backup [-- options]

  --to FILE   where the archive goes (default: backups/muster-<time>.tar)
  --help      print this

Everything that the service keeps, in one file, consistent while the service goes on serving. It reads the
settings of the service: DATABASE_URL, or else the database in DATA_DIR. Whoever has the file can open the service.
Exit codes: 0 all of it is on the disk, 1 there is no file, 2 wrong usage.`;

export const RESTORE_USAGE = `usage: npm run restore -- --from FILE [options]

  --from FILE  the archive
  --check      read and verify all of it, and write nothing
  --help       print this

Into the empty database of DATABASE_URL, or else a DATA_DIR without a database: as a whole, or not at all.
Exit codes: 0 restored, or whole, 1 nothing was changed, 2 wrong usage.`;

/** Where the archive goes: the file that is named, else one in `backups/` named after the moment. */
export const parseBackupCommand = (args: string[], now: Date): { path: string } => {
  const { to } = parse(args, { to: { type: 'string' } });
  const moment = now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
  return { path: resolve(to ?? join('backups', `muster-${moment}.tar`)) };
};

/** `checkOnly`: the archive is read and nothing is written. */
export const parseRestoreCommand = (args: string[]): { path: string; checkOnly: boolean } => {
  const { from, check } = parse(args, { from: { type: 'string' }, check: { type: 'boolean' } });
  if (!from) throw new BackupUsageError(`--from is required: the archive (${HINT}).`);
  return { path: resolve(from), checkOnly: check === true };
};

const HINT = '--help lists the options';

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

const parse = <Given extends Options>(args: string[], options: Given) => {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    // Further lines hold advice.
    const [sentence] = String(error instanceof Error ? error.message : error).split('\n');
    throw new BackupUsageError(`${sentence} (${HINT}).`);
  }
};
