// What the migrating process is asked and what it answers: one JSON value per line, the last event ends it.
export type MigrationJob = { url: string; prismaDir: string };

export type MigrationEvent =
  | { kind: 'progress'; message: string }
  | { kind: 'applied'; names: string[] }
  /** `unknown` are the migrations that this program does not know, where these are the failure. */
  | { kind: 'failed'; message: string; unknown?: readonly string[] };
