// What the programs `npm run backup` and `npm run restore` share.
export {
  BACKUP_USAGE,
  parseBackupCommand,
  parseRestoreCommand,
  RESTORE_USAGE,
} from './backup-command.ts';
export { describeRows, describeSize } from './describe-archive.ts';
export { runCommand } from './run-command.ts';
