// A connection to PostgreSQL, as every part of this package opens it.
import pg from 'pg';

type Callback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

export type ClientConfig = pg.ClientConfig & {
  /** Called when the connection cannot be opened. */
  onConnectFailure?: (error: Error) => void;
};

const connectFailures = new WeakSet<object>();

/** True for an error that `connect` rejected with, such as a refused login or a certificate that is not trusted. */
export const isConnectFailure = (error: object): boolean => connectFailures.has(error);

/**
 * Where no connection comes about, pg leaves the socket open until the server gives up, such as for a minute where the server asks
 * for a password and the URL names none: a program that has nothing else to do would not end before.
 */
export class Client extends pg.Client {
  readonly #onConnectFailure: ClientConfig['onConnectFailure'];

  constructor(config?: string | ClientConfig) {
    super(config);
    if (typeof config === 'object') this.#onConnectFailure = config.onConnectFailure;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Callback): void;
  override connect(given?: Callback): Promise<pg.Client> | undefined {
    if (!given) {
      return super.connect().catch((error: Error) => {
        throw this.#giveUp(error);
      });
    }
    const callback = given as (error: Error | null, client?: pg.Client) => void;
    // In the same step as pg does: from here on a pool listens to errors, and the next bytes may bring one.
    super.connect((error: Error | null) => {
      if (error) callback(this.#giveUp(error));
      else callback(null, this);
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

/** On a connection of its own, which ends with the work. One that breaks rejects the query that is under way. */
export const withClient = async <Result>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = new Client(config);
  // An 'error' event without a listener would end the process.
  client.on('error', () => {});
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
