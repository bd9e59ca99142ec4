// Which failures of the database have a sentence of their own, and which say that it is away.
import {
  classifyDatabaseError,
  EmbeddedPostgresError,
  MigrationHistoryError,
} from '@muster/database';
import { explainFailure } from '../start/index.ts';

export const isOutage = (error: unknown): boolean =>
  ['unavailable', 'timeout'].includes(classifyDatabaseError(error));

export const isExplained = (error: Error): boolean =>
  error instanceof EmbeddedPostgresError || error instanceof MigrationHistoryError;

/** A failure of `work` without a sentence of its own is told as a failure of `what`. */
export const explain = <Result>(what: string, work: () => Promise<Result>): Promise<Result> =>
  explainFailure(what, work, isExplained);
