// @muster/database: the PostgreSQL that the program brings along, its migrations, the ways to query it,
// and the hash chain that versions are kept in.
export {
  type BackUpResult,
  BackupError,
  backUp,
  restoreIntoDatabase,
  restoreIntoFolder,
  type VerifiedArchive,
  verifyArchive,
} from './backup/index.ts';
export { classifyDatabaseError, type DatabaseErrorKind } from './database-error.ts';
export {
  DataDirInUseError,
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  type EmbeddedPostgresOptions,
  reachEmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded/index.ts';
export { isAlive } from './embedded/is-alive.ts';
export { Prisma, type PrismaClient } from './generated/client.ts';
export { inReadSnapshot } from './in-read-snapshot.ts';
export { type MigrateOptions, MigrationHistoryError, migrateDatabase } from './migrations/index.ts';
export {
  type Database,
  KEYED_POOL_SETTINGS,
  type OpenDatabaseOptions,
  openDatabase,
} from './open-database.ts';
export { runAlone } from './run-alone.ts';
export {
  type PreparedStatement,
  QueryTimeoutError,
  type RunOptions,
  runPrepared,
} from './run-prepared.ts';
export { type ChainedVersion, hashVersion } from './version-chain.ts';
