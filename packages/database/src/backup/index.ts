// Backups: one file with everything that the service keeps.
export { type VerifiedArchive, verifyArchive } from './archive-reader.ts';
export { type BackUpResult, backUp } from './back-up.ts';
export { BackupError } from './backup-error.ts';
export { restoreIntoDatabase } from './restore-into-database.ts';
export { restoreIntoFolder } from './restore-into-folder.ts';
