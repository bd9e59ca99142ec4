import type pg from 'pg';

/**
 * Runs the work while no other process does; false when one does. `lock` is the number that they all have for it. The lock
 * belongs to a connection, so that it goes with a process that dies.
 */
export async function runAlone(
  pool: pg.Pool,
  lock: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const client = await pool.connect();
  let healthy = false;
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(${lock}) AS locked`,
    );
    const isAlone = rows[0]?.locked === true;
    if (isAlone) {
      await work();
      await client.query(`SELECT pg_advisory_unlock(${lock})`);
    }
    healthy = true;
    return isAlone;
  } finally {
    // A lock that may still be held goes with its connection.
    client.release(!healthy);
  }
}
