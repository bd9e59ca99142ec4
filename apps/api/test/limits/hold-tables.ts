import type { Database } from '@muster/database';

/** Until the returned function is called, every join waits for its first statement. */
export const holdJoins = async ({ pool }: Pick<Database, 'pool'>): Promise<() => Promise<void>> => {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE player, session, platform_session_route IN ACCESS EXCLUSIVE MODE');
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
};
