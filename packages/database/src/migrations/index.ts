// Migrations by the program itself.
export { type MigrateOptions, migrateDatabase } from './migrate-database.ts';
export { MigrationHistoryError } from './migration-history.ts';
