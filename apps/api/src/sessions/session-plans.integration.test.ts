// What the statements of the join read, as PostgreSQL plans them once for all values: only by primary keys, even while
// the tables are empty and every index looks as good.
import type { Database } from '@muster/database';
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { expect, test } from 'vitest';
import { explainScans } from '../catalogue/testing/explain.ts';
import { CHECK_SESSIONS, FIND_ROUTES, READ_SESSIONS, WRITE_SESSIONS } from './session-sql.ts';

/**
 * A seat that goes is found by its player, too: a player has few. A legacy id is found by its only player.
 */
const ALSO_FIT = ['session_seat_of_player', 'player_legacy_id_player_uuid_key'];

const NOTHING = '[]';

/** With values that find and write nothing. */
const STATEMENTS = [
  { ...FIND_ROUTES, values: [[]] },
  { ...CHECK_SESSIONS, values: [[], []] },
  { ...READ_SESSIONS, values: [[]] },
  { ...WRITE_SESSIONS, values: [[], NOTHING, NOTHING, NOTHING, NOTHING] },
];

/** Names of the indexes, and of the tables that are read without one. */
const listReads = async (
  { keyedPool: pool }: Database,
  statement: (typeof STATEMENTS)[number],
): Promise<string[]> => {
  const scans = await explainScans({ pool }, statement, 'generic');
  // The heap under a bitmap is read through the index below it; what is no table has no name.
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
