import type pg from 'pg';

/**
 * Runs `work` on a connection that sees the database as of its first statement, without later writes.
 * Read only. Keep it short: old rows cannot be cleaned up while it is open.
 */
export async function inReadSnapshot<T>(
  pool: pg.Pool,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let failed = true;
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const result = await work(client);
    await client.query('COMMIT');
    failed = false;
    return result;
  } finally {
    // A connection in a failed transaction is not worth mending.
    client.release(failed);
  }
}

/**
 * Runs the work while no other process does; false when one does. `lock` is the number that they all have for it. The lock
 * belongs to a connection, so that it goes with a process that dies. Long work calls `confirm`, which rejects once the
 * connection, and with it the lock, is lost.
 */
export async function runAlone(
  pool: pg.Pool,
  lock: string,
  work: (confirm: () => Promise<unknown>) => Promise<void>,
): Promise<boolean> {
  const client = await pool.connect();
  let healthy = false;
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(${lock}) AS locked`,
    );
    const isAlone = rows[0]?.locked === true;
    if (isAlone) {
      await work(() => client.query('SELECT 1'));
      await client.query(`SELECT pg_advisory_unlock(${lock})`);
    }
    healthy = true;
    return isAlone;
  } finally {
    // A lock that may still be held goes with its connection.
    client.release(!healthy);
  }
}
