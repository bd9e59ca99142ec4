// What can go wrong around the PostgreSQL that the program brings along; each message is one sentence for people.

/** The embedded PostgreSQL cannot be used; the message says why and what to do. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** Another process holds the data folder. */
export class DataDirInUseError extends EmbeddedPostgresError {
  override name = 'DataDirInUseError';
  readonly dataDir: string;

  constructor(dataDir: string) {
    super(
      `The data folder ${dataDir} is in use by another running process: stop that one, or choose another DATA_DIR.`,
    );
    this.dataDir = dataDir;
  }
}
