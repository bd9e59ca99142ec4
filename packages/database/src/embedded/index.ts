// The PostgreSQL that the program brings along.
export { DataDirInUseError, EmbeddedPostgresError } from './errors.ts';
export { reachEmbeddedPostgres } from './reach-embedded-postgres.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
