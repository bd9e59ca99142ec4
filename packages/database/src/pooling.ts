// Tells whether a connection has a session of PostgreSQL to itself. Prepared statements, settings and advisory locks belong to a
// session: a pooler that gives each transaction another session breaks them.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { withClient } from './client.ts';

/**
 * - `none`: the connection leads to PostgreSQL itself
 * - `session`: a pooler keeps one session for each connection
 * - `transaction`: a pooler gives each transaction, or each statement, any session
 */
type Pooling = 'none' | 'session' | 'transaction';

/** Why a database behind `transaction` cannot be used, and what to do: the end of a sentence. */
export const NEEDS_SESSION_POOLING =
  'a connection pooler in transaction or statement mode is in front of it, and Muster needs session mode; set pool_mode = session in PgBouncer, or connect to PostgreSQL directly';

/**
 * Takes one round trip without a pooler. `url` must lead where `target` does: behind a pooler, a second connection is opened for the
 * time of the check.
 */
export async function findPooling(target: pg.Pool | pg.ClientBase, url: string): Promise<Pooling> {
  if (!(target instanceof pg.Pool)) return examine(target, url);
  const client = await target.connect();
  let healthy = false;
  try {
    const pooling = await examine(client, url);
    healthy = true;
    return pooling;
  } finally {
    client.release(!healthy);
  }
}

/**
 * A pooler gives its clients cancellation keys of its own, so that the process id in the key is not the one of the session.
 *
 * Between its statements, A is idle, so that a pooler in transaction mode may give the session of A to any client. PgBouncer takes
 * the session that was used last: B then overwrites the setting of A. With `server_round_robin` it takes the one that was not used
 * for longest: if there are several, the second statement of A meets another one, and if there is one, A and B share it.
 */
async function examine(client: pg.ClientBase, url: string): Promise<Pooling> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  if (rows[0]?.pid === (client as { processID?: number }).processID) return 'none';
  const mark = randomUUID();
  await setMark(client, mark);
  if ((await readMark(client)) !== mark) return 'transaction';
  // A pooler whose sessions are all in use lets a statement wait.
  const limits = { connectionTimeoutMillis: LIMIT_MS, query_timeout: LIMIT_MS };
  return withClient({ connectionString: url, ...limits }, async (other) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await setMark(other, randomUUID());
      if ((await readMark(client)) !== mark) return 'transaction';
    }
    return 'session';
  });
}

const LIMIT_MS = 10_000;
/** Other clients may take the session of A just before B would. */
const ROUNDS = 10;

/** Of a setting that PostgreSQL does not know, which every session may have, and no pooler tracks. */
const setMark = (client: pg.ClientBase, mark: string) =>
  client.query(`SELECT set_config('muster.session', '${mark}', false)`);

const readMark = async (client: pg.ClientBase): Promise<string | null> => {
  const { rows } = await client.query<{ mark: string | null }>(
    `SELECT current_setting('muster.session', true) AS mark`,
  );
  return rows[0]?.mark ?? null;
};
