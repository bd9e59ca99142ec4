// What the statements of the join read, as PostgreSQL plans them once for all values: only by primary keys, even while
// the tables are empty and every index looks as good.
import type { Database } from '@muster/database';
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { expect, test } from 'vitest';
import {
  CHECK_SESSIONS,
  FIND_ROUTES,
  READ_SESSIONS,
  WRITE_SESSIONS,
} from './session-statements.ts';

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Node[];
};

/** A seat that goes is found by its player, too: a player has few. */
const ALSO_FITS = 'session_seat_of_player';

const STATEMENTS = [FIND_ROUTES, CHECK_SESSIONS, READ_SESSIONS, WRITE_SESSIONS];

const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

/** Names of the indexes, and of the tables that are read without one. */
const listReads = async ({ keyedPool }: Database, text: string): Promise<string[]> => {
  const client = await keyedPool.connect();
  try {
    await client.query(`PREPARE planned AS ${text}`);
    const values = [...new Set(text.match(/\$\d/g))].map(() => 'NULL');
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE planned (${values})`);
    const nodes = flatten(rows[0]['QUERY PLAN'][0].Plan);
    // The heap under a bitmap is read through the index below it.
    const scans = nodes.filter(
      ({ 'Node Type': type }) => / Scan$/.test(type) && !/Heap/.test(type),
    );
    return scans.flatMap((node) => node['Index Name'] ?? node['Relation Name'] ?? []);
  } finally {
    await client.query('DEALLOCATE ALL');
    client.release();
  }
};

test.each(['never vacuumed', 'known to be empty'])('tables that were %s', async (state) => {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({ url });
  try {
    if (state === 'known to be empty') await database.pool.query('VACUUM ANALYZE');
    for (const { name, text } of STATEMENTS) {
      const reads = new Set(await listReads(database, text));
      reads.delete(ALSO_FITS);
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
