import type pg from 'pg';

/**
 * Runs `work` on a connection that sees the database as it is at its first statement, whatever is written meanwhile.
 * Read only. Hold it briefly: old rows cannot be cleaned up as long as it is open.
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
