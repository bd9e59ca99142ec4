// The command lines of the backup and the restore program.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** How the program is meant to be called. Exit code 2. */
export class BackupUsageError extends Error {
  override readonly name = 'BackupUsageError';
}

const BACKUP_USAGE = 'Usage: npm run backup [-- --to <file>]';
const RESTORE_USAGE = 'Usage: npm run restore -- --from <file> [--check]';

/** Where the archive goes: the file that is named, else one in `backups/` named after the moment. */
export const parseBackupCommand = (args: string[], now: Date): { path: string } => {
  const { to } = parse(args, { to: { type: 'string' } }, BACKUP_USAGE);
  const moment = now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
  return { path: resolve(to ?? join('backups', `muster-${moment}.tar`)) };
};

/** `checkOnly`: the archive is read and nothing is written. */
export const parseRestoreCommand = (args: string[]): { path: string; checkOnly: boolean } => {
  const options = { from: { type: 'string' }, check: { type: 'boolean' } } as const;
  const { from, check } = parse(args, options, RESTORE_USAGE);
  if (!from) throw new BackupUsageError(`--from is required: the archive.\n${RESTORE_USAGE}`);
  return { path: resolve(from), checkOnly: check === true };
};

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

const parse = <Given extends Options>(args: string[], options: Given, usage: string) => {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new BackupUsageError(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
};
