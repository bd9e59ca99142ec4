// @muster/database/testing: real databases for tests.
export {
  createTestDatabase,
  type TestDatabase,
  type TestDatabaseOptions,
} from './create-test-database.ts';
export { type FragilePostgres, startFragilePostgres } from './fragile-postgres.ts';
