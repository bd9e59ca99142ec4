// @muster/database: the PostgreSQL that the program brings along, its migrations, the ways to query it,
// and the hash chain that versions are kept in.

export { verifyArchive } from './backup/archive-reader.ts';
export { BackupError } from './backup/archive-writer.ts';
export { backUp } from './backup/back-up.ts';
export { restoreIntoDatabase, restoreIntoFolder } from './backup/restore.ts';
export { checkWritable } from './check-writable.ts';
export { withClient } from './client.ts';
export {
  adviseOnDatabaseError,
  classifyDatabaseError,
  describeDatabaseError,
  isDatabaseTimeout,
  isReadOnly,
  isStatementCancelled,
} from './database-error.ts';
export { DistributionError, distribute } from './distribution/distribute.ts';
export {
  findShards,
  groupByNode,
  groupByShard,
  type Shards,
  shardOf,
} from './distribution/shards.ts';
export { makeDataDir, makeFolders } from './embedded/data-folder.ts';
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded/embedded-postgres.ts';
export {
  examineFolder,
  reachEmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded/embedded-postgres.ts';
export { DataDirInUseError, EmbeddedPostgresError } from './embedded/programs.ts';
export { describeEmbeddedRelease } from './embedded/release.ts';
export { isAlive } from './embedded/server-process.ts';
export { Prisma, type PrismaClient } from './generated/client.ts';
export {
  listMissingMigrations,
  MigrationError,
  migrateDatabase,
} from './migrations/migrate-database.ts';
export { type Database, openDatabase } from './open-database.ts';
export { findPooling, NEEDS_SESSION_POOLING } from './pooling.ts';
export { QueryTimeoutError, type RunOptions, runPrepared } from './run-prepared.ts';
export { describeMissingSearchIndexes, findMissingSearchIndexes } from './search-indexes.ts';
export { inReadSnapshot, runAlone } from './transactions.ts';
export { hashVersion } from './version-chain.ts';
