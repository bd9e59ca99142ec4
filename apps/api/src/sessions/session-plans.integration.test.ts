// The generic plans of the join statements read only by primary keys, even while the tables are empty and every index
// has the same estimated cost.
import { randomUUID } from 'node:crypto';
import type { Database } from '@muster/database';
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { expect, test } from 'vitest';
import { explainScans } from '../catalogue/testing/explain.ts';
import { CHECK_SESSIONS, FIND_ROUTES, READ_SESSIONS, WRITE_SESSIONS } from './session-sql.ts';

/** A removed seat is also found by its player, who has few. A legacy id is found by its only player. */
const ALSO_FIT = ['session_seat_of_player', 'player_legacy_id_player_uuid_key'];

/** With values that match nothing and write nothing. */
const STATEMENTS = [
  { ...FIND_ROUTES, values: [[]] },
  { ...CHECK_SESSIONS(1), values: [[], []] },
  { ...READ_SESSIONS(1), values: [[]] },
];

/** Names of the indexes, and of the tables that are read without one. */
const listReads = async (
  { keyedPool: pool }: Database,
  statement: (typeof STATEMENTS)[number],
): Promise<string[]> => {
  const scans = await explainScans({ pool }, statement, 'generic');
  // The heap below a bitmap scan is read through the index, and other nodes have no name.
  const reads = scans.filter(({ type }) => type !== 'Bitmap Heap Scan');
  return reads.map(({ index, relation }) => index ?? relation).filter((name) => name !== '');
};

test.each(['never vacuumed', 'known to be empty'])('tables that were %s', async (state) => {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({ url });
  try {
    if (state === 'known to be empty') await database.pool.query('VACUUM ANALYZE');
    for (const statement of STATEMENTS) {
      const { name } = statement;
      const reads = new Set(await listReads(database, statement));
      for (const index of ALSO_FIT) reads.delete(index);
      expect(reads, name).not.toEqual(new Set());
      expect(
        [...reads].filter((read) => !read.endsWith('_pkey')),
        name,
      ).toEqual([]);
    }
  } finally {
    await database.close();
    await drop();
  }
});

test('the write of a session reads only by keys', async () => {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({ url });
  try {
    const [key, stays, goes] = [randomUUID(), randomUUID(), randomUUID()];
    await database.pool.query(
      `INSERT INTO session (session_key, type, session_id, incarnation, created_at)
       VALUES ($1, 'a', 'b', 'c', now())`,
      [key],
    );
    const seat = { session_key: key, player_uuid: stays, team_id: 0, status: 'member' };
    const [at, event_id] = [new Date(), randomUUID()];
    const event = { session_key: key, event_id, occurred_at: at, kind: 'd', account_id: 'e' };
    const values = [
      key,
      [key],
      JSON.stringify([{ session_key: key, version: 1, incarnation: 'c' }]),
      JSON.stringify([{ session_key: key, player_uuid: goes }]),
      JSON.stringify([{ ...seat, seated_at: at, joined_at: at }]),
      JSON.stringify([event]),
      [stays],
    ];
    const client = await database.keyedPool.connect();
    await client.query({ ...WRITE_SESSIONS(1), values });
    await client.query('SELECT pg_stat_force_next_flush()');
    client.release();
    type Read = { read: string };
    const { rows } = await database.pool.query<Read>(READS);
    const reads = new Set(rows.map(({ read }) => read));
    expect(reads).toContain('session_pkey');
    for (const index of ALSO_FIT) reads.delete(index);
    expect([...reads].filter((read) => !read.endsWith('_pkey'))).toEqual([]);
  } finally {
    await database.close();
    await drop();
  }
});

const READS = `
  SELECT indexrelname AS read FROM pg_stat_user_indexes WHERE idx_scan > 0
  UNION SELECT relname FROM pg_stat_user_tables WHERE seq_scan > 0
    AND relname IN ('session', 'session_seat', 'session_event', 'session_type', 'player', 'player_legacy_id')`;
