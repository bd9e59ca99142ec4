// The PostgreSQL that the program brings along.
export { DataDirInUseError, EmbeddedPostgresError } from './errors.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
