import type { Database } from '@muster/database';

type Pool = Database['pool'];

/** Until the returned function is called, whatever reads one of the tables waits. */
const holdTables = async (pool: Pool, tables: string): Promise<() => Promise<void>> => {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
};

/** Every join waits for its first statement. */
export const holdJoins = ({ pool }: Pick<Database, 'pool'>) =>
  holdTables(pool, 'player, session, platform_session_route');

/** Every export, comparison and verification waits for its first page. */
export const holdCatalogue = ({ keyedPool }: Pick<Database, 'keyedPool'>) =>
  holdTables(keyedPool, 'catalogue_record, catalogue_version');
