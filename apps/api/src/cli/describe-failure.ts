// The sentence for a failure of a command. Loaded only after a failure, since the database package is large.
import {
  adviseOnDatabaseError,
  BackupError,
  classifyDatabaseError,
  describeDatabaseError,
  EmbeddedPostgresError,
  MigrationError,
} from '@muster/database';
import { ConfigError, StartError } from '../platform/index.ts';

const WITH_SENTENCE = [
  ConfigError,
  StartError,
  EmbeddedPostgresError,
  MigrationError,
  BackupError,
] as const;

/** Null for a fault of this program, which needs its stack trace. */
export const describeFailure = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null;
  if (WITH_SENTENCE.some((type) => error instanceof type)) return error.message;
  const kind = classifyDatabaseError(error);
  if (kind === 'unavailable' || kind === 'timeout') {
    const advice = adviseOnDatabaseError(error) || 'Run `muster doctor` to find the cause.';
    return `The database cannot be used: ${describeDatabaseError(error)}. ${advice}`;
  }
  // Of the operating system, or of PostgreSQL.
  return 'syscall' in error || 'severity' in error ? error.message : null;
};
