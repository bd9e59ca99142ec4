// Lists of 100,000 Items that are sorted by a key of custom data: a page reads little more than its own rows.
import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NARROW_COLUMNS } from '../records/record-store.ts';
import { explainScans } from '../testing/explain.ts';
import { fillValuedRecords } from '../testing/fill-valued-records.ts';
import type { RecordListQuery } from './record-list-sql.ts';
import { listStatement, matchStatement } from './record-list-sql.ts';

const RECORDS = 100_000;
const LIMIT = 101;
/** The values, the records, the page in memory, the versions, and the filter of one record in ten. */
const MAX_READ = 30 * LIMIT;
const sandboxId = '0196b8a0-0000-7000-8000-000000000001';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ statementTimeoutMs: 240_000 });
  await fillValuedRecords(database, { sandboxId, records: RECORDS });
});
afterAll(() => database.close());

const MIDDLE = { name: '', id: '80000000-0000-4000-8000-000000000000' };

const QUERIES: Record<string, Partial<RecordListQuery>> = {
  numbers: { sort: 'custom_data.price' },
  'numbers from the middle on': { sort: 'custom_data.price', after: { value: 500, ...MIDDLE } },
  texts: { sort: 'custom_data.rarity' },
  'texts from the middle on': { sort: 'custom_data.id', after: { value: 'id-5', ...MIDDLE } },
  'a key that no record has': { sort: 'custom_data.none' },
  'records without a key from the middle on': {
    sort: 'custom_data.none',
    after: { value: null, ...MIDDLE },
  },
  'a frequent type': { sort: 'custom_data.price', itemType: 'unit' },
  'a frequent tag': { sort: 'custom_data.id', tag: 'sword' },
  'a part of a name': { sort: 'custom_data.price', name: 'thing 0' },
  'half of the records': {
    sort: 'custom_data.season',
    where: { and: [{ field: 'custom_data.price', op: 'gt', value: '500' }] },
  },
  'ten thousand records': {
    sort: 'custom_data.price',
    where: { and: [{ field: 'tags', op: 'has', value: 'sword' }] },
  },
};

test.each(
  (['asc', 'desc'] as const).flatMap((order) =>
    Object.entries(QUERIES).map(([name, query]) => ({ order, name, query })),
  ),
)('a page of $name, $order, reads little more than its rows', async ({ order, query }) => {
  const place = { sort: 'name', order, after: undefined, limit: LIMIT } as const;
  const whole: RecordListQuery = { sandboxId, kind: 'item', deleted: false, ...place, ...query };
  const { where } = whole;
  if (where) {
    const { text, values } = matchStatement({ ...whole, where });
    const { rows } = await database.pool.query(text, values);
    whole.matched = rows[0];
  }
  const statement = listStatement(whole, NARROW_COLUMNS, 'many');
  const scans = await explainScans(database, statement, 'custom');
  const read = scans.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  expect(read).toBeLessThanOrEqual(MAX_READ);
});
