// @muster/database/testing: real databases for tests, and the size of tests.

export { findFreePort, isAlive } from '../embedded/server-process.ts';
export {
  type CitusCluster,
  type CitusNode,
  NoCitusError,
  startCitusCluster,
} from './citus-cluster.ts';
export { createTestDatabase, openTestDatabase, type TestDatabase } from './create-test-database.ts';
export { describeSchema, digestTables } from './describe-database.ts';
export { divideEqually } from './divide-equally.ts';
export { findChildren } from './find-children.ts';
export { type FragilePostgres, startFragilePostgres } from './fragile-postgres.ts';
export { type Pgbouncer, startPgbouncer } from './start-pgbouncer.ts';
export { startReplica, startSynchronousReplica, type TestReplica } from './start-replica.ts';
export { IS_FULL_SIZE } from './test-size.ts';
