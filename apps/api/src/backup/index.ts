// What the programs `npm run backup` and `npm run restore` share.
export { parseBackupCommand, parseRestoreCommand } from './backup-command.ts';
export { describeRows, describeSize } from './describe-archive.ts';
export { runCommand } from './run-command.ts';
