// A page of a comparison stops at its limit, however many records the sandboxes have.
import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explainScans } from '../testing/explain.ts';
import { fillVersions, recordIdOf } from '../testing/fill-versions.ts';
import { createCompareStore, pageStatement } from './compare-store.ts';

const RECORDS = 4_000;
const LIMIT = 51;
const target = '0196b8a0-0000-7000-8000-000000000001';
const source = '0196b8a0-0000-7000-8000-000000000002';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ statementTimeoutMs: 120_000 });
  for (const sandboxId of [target, source]) {
    await fillVersions(database, { sandboxId, records: RECORDS, versions: RECORDS });
  }
  const { pool } = database;
  await pool.query(`UPDATE catalogue_record SET snapshot = '{"name":"other"}'
WHERE sandbox_id = '${source}' AND legacy_id IS NOT NULL`);
  await pool.query('VACUUM ANALYZE catalogue_record');
}, 300_000);
afterAll(() => database.close());

describe.each(['different', undefined] as const)('a page of status %s', (status) => {
  test.each([null, 0, RECORDS / 2])(
    'after record %s reads only the records of its range',
    async (number) => {
      const last = number === null ? null : recordIdOf(number);
      const values = [target, source, 'item', LIMIT, ...(last === null ? [] : [last])];
      const statement = { name: '', text: pageStatement(status, last), values };
      const scans = await explainScans(database, statement, 'custom');
      const ofRecords = scans.filter(({ relation }) => relation === 'catalogue_record');
      const read = ofRecords.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
      // One record in ten differs: the records before it are read in both sandboxes, from either side.
      expect(read).toBeLessThanOrEqual(4 * 10 * LIMIT + 4 * LIMIT);
    },
  );
});

test('the counts are exact', async () => {
  const pair = { target, source, kind: 'item' as const };
  const counts = await createCompareStore(database).countStatuses(pair);
  const items = RECORDS - RECORDS / 50;
  const different = RECORDS / 10;
  expect(counts).toEqual({ only_source: 0, only_target: 0, different, same: items - different });
});
