// Runs a hot statement by name: PostgreSQL parses and plans it once per connection.

import pg from 'pg';

type PreparedStatement = {
  /** Unique per text, at most 63 bytes: PostgreSQL cuts longer names. */
  name: string;
  text: string;
  /** The name for observers of a statement without a name, which is planned for its values each time. */
  label?: string;
};

export type RunOptions = { timeoutMs?: number };

/** The answer did not come in time. Whether a write took effect is unknown: read before saying anything. */
export class QueryTimeoutError extends Error {
  override name = 'QueryTimeoutError';
}

const DEFAULT_TIMEOUT_MS = 5_000;

/**
 * Returns the rows, with BIGINT as number and TIMESTAMPTZ as Date. On a timeout, or when the connection breaks, the
 * connection is destroyed and never returns to the pool. Give the client of a transaction instead of the pool to run
 * inside it; that client is still the caller's to release.
 */
export async function runPrepared<Row>(
  target: pg.Pool | pg.ClientBase,
  statement: PreparedStatement,
  values: readonly unknown[],
  options: RunOptions = {},
): Promise<Row[]> {
  if (!(target instanceof pg.Pool)) return runOn<Row>(target, statement, values, options);
  const client = await target.connect();
  let healthy = false;
  try {
    const rows = await runOn<Row>(client, statement, values, options);
    healthy = true;
    return rows;
  } catch (error) {
    healthy = leavesConnectionHealthy(error);
    throw error;
  } finally {
    client.release(!healthy);
  }
}

async function runOn<Row>(
  client: pg.ClientBase,
  statement: PreparedStatement,
  values: readonly unknown[],
  { timeoutMs = DEFAULT_TIMEOUT_MS }: RunOptions,
): Promise<Row[]> {
  let timedOut = false;
  let isSettled = false;
  const giveUp = () => {
    if (isSettled) return;
    timedOut = true;
    // While a query runs, this closes the socket at once, and the query rejects.
    void (client as pg.Client).end().catch(() => {});
  };
  // Where the process itself was busy for long, the answer may have come and not been read yet: that happens first.
  const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
  try {
    const result = await client.query({ ...statement, values: [...values], types: ROW_TYPES });
    return result.rows as Row[];
  } catch (error) {
    if (!timedOut) throw error;
    throw new QueryTimeoutError(
      `The statement ${statement.name} did not finish within ${timeoutMs} ms.`,
    );
  } finally {
    isSettled = true;
    clearTimeout(timer);
  }
}

/** An error that the server reported about a statement leaves the session usable; a cancelled one is not worth the doubt. */
function leavesConnectionHealthy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && error.code !== '57014';
}

// Reports each statement that the connections of a pool run: its duration, and whether it failed.

/** Called when a statement is sent, with its name; what it answers is called with the error, or nothing, when it is over. */
export type StatementObserver = (statement: string) => (error?: unknown) => void;

/** Those of Prisma, of transactions and of tools: their texts are too many for a metric. */
const UNNAMED = 'other';

type Query = (...parameters: unknown[]) => unknown;
type Callback = (error: unknown, result: unknown) => void;

/** The wait for a free connection is not part of it. */
export function observeStatements(client: pg.ClientBase, observe: StatementObserver): void {
  const query = client.query.bind(client) as Query;
  const observed: Query = (...parameters) => {
    const [config] = parameters;
    if (isSubmittable(config)) return query(...parameters);
    const end = observe(nameOf(config));
    const last = parameters.at(-1);
    if (typeof last === 'function') {
      const callback: Callback = (error, result) => {
        end(error ?? undefined);
        (last as Callback)(error, result);
      };
      return query(...parameters.slice(0, -1), callback);
    }
    const running = query(...parameters) as Promise<unknown>;
    running.then(() => end(), end);
    return running;
  };
  Object.assign(client, { query: observed });
}

/** Cursors and copies have a protocol of their own. */
function isSubmittable(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'submit' in config;
}

function nameOf(config: unknown): string {
  if (typeof config !== 'object' || config === null) return UNNAMED;
  const { label, name } = config as { label?: unknown; name?: unknown };
  if (typeof label === 'string') return label;
  return typeof name === 'string' && name !== '' && !name.startsWith('prisma_') ? name : UNNAMED;
}

// How the columns of our own prepared statements become JavaScript values. It is given with each query: Prisma
// shares the pool and relies on the driver's global parsers.

const INT8 = 20;

const INT8_ARRAY = 1016;

/** BIGINT becomes a number, TIMESTAMPTZ a Date, BYTEA a Buffer, JSON a value, UUID and NUMERIC text. */
const ROW_TYPES: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format === 'binary') return pg.types.getTypeParser(oid, format);
    if (oid === INT8) return parseSafeInteger;
    if (oid === INT8_ARRAY) return parseSafeIntegers;
    return pg.types.getTypeParser(oid, 'text');
  },
};

/** Throws beyond 2^53-1, where a number would silently become another one. */
function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`The database returned ${text}, which is no safe integer.`);
}

/** PostgreSQL writes `{1,2,NULL}`; arrays of arrays are not among our columns. */
function parseSafeIntegers(text: string): (number | null)[] {
  if (text === '{}') return [];
  const items = text.slice(1, -1).split(',');
  return items.map((item) => (item === 'NULL' ? null : parseSafeInteger(item)));
}
