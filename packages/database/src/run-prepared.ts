// Runs a hot statement by name: PostgreSQL parses and plans it once per connection.
import pg from 'pg';
import { ROW_TYPES } from './row-types.ts';

export type PreparedStatement = {
  /** Unique per text, at most 63 bytes: PostgreSQL cuts longer names. */
  name: string;
  text: string;
  /** What observers call it instead of its name; for one that has no name, since it is planned for its values each time. */
  label?: string;
};

export type RunOptions = { timeoutMs?: number };

/** The answer did not come in time. Whether a write took effect is unknown: read before saying anything. */
export class QueryTimeoutError extends Error {
  override name = 'QueryTimeoutError';
  readonly statement: string;
  readonly timeoutMs: number;

  constructor(statement: string, timeoutMs: number) {
    super(`The statement ${statement} did not finish within ${timeoutMs} ms.`);
    this.statement = statement;
    this.timeoutMs = timeoutMs;
  }
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
    destroyConnection(client);
  };
  // Where the process itself was busy for long, the answer may have come and not been read yet: that happens first.
  const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
  try {
    const result = await client.query({ ...statement, values: [...values], types: ROW_TYPES });
    return result.rows as Row[];
  } catch (error) {
    throw timedOut ? new QueryTimeoutError(statement.name, timeoutMs) : error;
  } finally {
    isSettled = true;
    clearTimeout(timer);
  }
}

/** Ending a client while a query runs closes its socket at once, and the query rejects. */
function destroyConnection(client: pg.ClientBase): void {
  void (client as pg.Client).end().catch(() => {});
}

/** An error that the server reported about a statement leaves the session usable; a cancelled one is not worth the doubt. */
function leavesConnectionHealthy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && error.code !== '57014';
}
