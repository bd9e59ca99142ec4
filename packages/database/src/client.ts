// A connection to PostgreSQL, as every part of this package opens it.
import pg from 'pg';

/** Settings of PostgreSQL by name, such as `timezone`; those that are times are in milliseconds. */
export type SessionSettings = Readonly<Record<string, string | number>>;

type ConnectionConfig = pg.ClientConfig & {
  /**
   * Set after the connection is established and before it is used, which takes one round trip. Never sent as startup parameters:
   * PgBouncer refuses a connection that sends one it does not track, such as `statement_timeout` or `options`.
   */
  settings?: SessionSettings;
  /** Called when the connection cannot be opened. */
  onConnectFailure?: (error: Error) => void;
};

type Callback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

const connectFailures = new WeakSet<object>();

/** True for an error that `connect` rejected with, such as a refused login or a certificate that is not trusted. */
export const isConnectFailure = (error: object): boolean => connectFailures.has(error);

/**
 * Where no connection comes about, pg leaves the socket open until the server gives up, such as for a minute where the server asks
 * for a password and the URL names none: a program that has nothing else to do would not end before.
 */
export class Client extends pg.Client {
  readonly #settings: SessionSettings;
  readonly #onConnectFailure: ConnectionConfig['onConnectFailure'];

  constructor(config: ConnectionConfig = {}) {
    super(config);
    this.#settings = config.settings ?? {};
    this.#onConnectFailure = config.onConnectFailure;
    // A connection that breaks rejects its queries. An 'error' event without a listener would end the process.
    this.on('error', () => {});
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Callback): void;
  override connect(given?: Callback): Promise<pg.Client> | undefined {
    if (!given) {
      return new Promise((resolve, reject) => {
        this.connect((error: Error | null) => (error ? reject(error) : resolve(this)));
      });
    }
    const callback = given as (error: Error | null, client?: pg.Client) => void;
    const finish = (error: Error | null) => {
      if (error) callback(this.#giveUp(error));
      else callback(null, this);
    };
    const statement = composeSettings(this.#settings);
    super.connect((error: Error | null) => {
      if (error || statement === null) finish(error);
      else this.query(statement, (failure: Error | null) => finish(failure));
    });
    return undefined;
  }

  #giveUp(failure: Error): Error {
    void this.end();
    const error = /client password must be/.test(failure.message)
      ? refusePassword(failure)
      : failure;
    connectFailures.add(error);
    this.#onConnectFailure?.(error);
    return error;
  }
}

/** One statement for all of them, since a pooler may refuse several at once. Null where there are none. */
const composeSettings = (settings: SessionSettings): string | null => {
  const calls = Object.entries(settings).map(
    ([name, value]) =>
      `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(String(value))}, false)`,
  );
  return calls.length === 0 ? null : `SELECT ${calls.join(', ')}`;
};

/** A pool of such connections. Those that break while they are idle are replaced. */
export const createPool = (config: pg.PoolConfig & ConnectionConfig): pg.Pool => {
  const pool = new pg.Pool({ ...config, Client });
  // The pool repeats what its idle connections say.
  pool.on('error', () => {});
  return pool;
};

/** On a connection of its own, which ends with the work. One that breaks rejects the query that is under way. */
export const withClient = async <Result>(
  config: ConnectionConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = new Client(config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** As the server refuses a password that is wrong (`invalid_password`). */
const refusePassword = (cause: Error): pg.DatabaseError => {
  const message =
    'the server asks for a password, and the URL of the database names none: write both as in //user:password@host/database';
  const error = new pg.DatabaseError(message, message.length, 'error');
  return Object.assign(error, { severity: 'FATAL', code: '28P01', cause });
};
