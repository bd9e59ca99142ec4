// The search for Items that use an Xp table stops at its limit, however many use it or another one.
import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIND_REFERRING } from './reference-store.ts';
import { explainScans } from './testing/explain.ts';
import { fillVersions, recordIdOf } from './testing/fill-versions.ts';

const RECORDS = 2_000;
const LIMIT = 11;
const sandboxId = '0196b8a0-0000-7000-8000-000000000001';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ statementTimeoutMs: 60_000 });
  const { pool } = database;
  await pool.query('ALTER TABLE catalogue_record SET (autovacuum_enabled = off)');
  const size = { records: RECORDS, versions: RECORDS };
  await fillVersions(database, { sandboxId, ...size, analyse: false });
  // Every second Item uses the same table; each of the others uses its own.
  await pool.query(`UPDATE catalogue_record SET snapshot = json_build_object('level_xp_table_id',
CASE head_seq % 2 WHEN 0 THEN '${recordIdOf(50)}' ELSE record_id::text END)::text WHERE kind = 'item'`);
}, 120_000);
afterAll(() => database.close());

test.each(['before PostgreSQL has analysed the tables', 'after it has analysed them'])(
  'reads little more rows than it lists, for tables in use and unused ones: %s',
  async (when) => {
    if (when.startsWith('after')) await database.pool.query('VACUUM ANALYZE catalogue_record');
    const tables = Array.from({ length: 100 }, (_, index) => recordIdOf((index + 1) * 10));
    for (const mode of ['generic', 'custom'] as const) {
      const values = [sandboxId, tables, LIMIT];
      const scans = await explainScans(database, { name: '', text: FIND_REFERRING, values }, mode);
      const read = scans
        .filter(({ relation }) => relation === 'catalogue_record')
        .reduce((sum, { rowsRead }) => sum + rowsRead, 0);
      // Dead index entries are read as well.
      expect(read).toBeLessThanOrEqual(tables.length + 2 * LIMIT);
      expect(read).toBeGreaterThanOrEqual(LIMIT);
    }
  },
);
