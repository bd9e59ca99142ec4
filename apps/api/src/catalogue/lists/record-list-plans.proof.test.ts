// The plans of record lists at 100,000 records: every sort and every filter reads about one page.
import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NARROW_COLUMNS } from '../records/record-store.ts';
import { explainScans } from '../testing/explain.ts';
import { fillListedRecords } from '../testing/fill-listed-records.ts';
import type { RecordFilter } from './record-list-query.ts';
import type { RecordListQuery } from './record-list-sql.ts';
import { countStatement, FEW, isFiltered, listStatement } from './record-list-sql.ts';

const RECORDS = 100_000;
const LIMIT = 101;
const [sandboxId, other] = [1, 2].map((at) => `0196b8a0-0000-7000-8000-00000000000${at}`) as [
  string,
  string,
];

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ statementTimeoutMs: 240_000 });
  await fillListedRecords(database, { sandboxId, records: RECORDS });
  await fillListedRecords(database, { sandboxId: other, records: 1_000, tag: 'rare' });
  await database.pool.query('VACUUM ANALYZE catalogue_record, catalogue_version');
});
afterAll(() => database.close());

/** The rows read by all statements of a page, chosen like in the store. */
const countRead = async (query: Partial<RecordListQuery>) => {
  const place = { sort: 'name', order: 'asc', after: undefined, limit: LIMIT } as const;
  const whole = { sandboxId, kind: 'item', deleted: false, ...place, ...query } as const;
  const count = countStatement(whole, FEW);
  const { rows } = await database.pool.query(count.text, count.values);
  const isFew = isFiltered(whole) && rows[0].total <= FEW;
  const page = listStatement(whole, NARROW_COLUMNS, isFew ? 'few' : 'many');
  const statements = isFiltered(whole) ? [count, page] : [page];
  let read = 0;
  for (const statement of statements) {
    const scans = await explainScans(database, statement, 'custom');
    for (const { relation, rowsRead } of scans)
      read += relation === 'catalogue_record' ? rowsRead : 0;
  }
  return read;
};

const MIDDLE = { name: 'thing 050000', id: '00000000-0000-4000-8000-000000000000' };
const SORTS = [
  ['item', 'name', ''],
  ['item', 'item_type', 'unit'],
  ['item', 'version', 3],
  ['item', 'updated', Date.UTC(2026, 0, 1, 12)],
  ['xp', 'levels', 3],
  ['xp', 'top', 300],
] as const;

describe.each(['asc', 'desc'] as const)('in %s order', (order) => {
  test.each(SORTS)(
    'a page of kind %s by %s reads only its rows, at the start and deep in the list',
    async (kind, sort, value) => {
      const query = { kind, sort, order };
      expect(await countRead(query)).toBeLessThanOrEqual(LIMIT);
      const after = { value, ...MIDDLE };
      expect(await countRead({ ...query, after })).toBeLessThanOrEqual(LIMIT);
    },
  );

  const filters: [string, Partial<RecordFilter>][] = [
    ['a rare type', { itemType: 'entitlement' }],
    ['a frequent type', { itemType: 'unit' }],
    ['a rare tag', { tag: 'rare' }],
    ['a frequent tag', { tag: 'melee' }],
    ['a tag that no record has', { tag: 'nothing' }],
    ['a rare key', { customKey: 'promotion' }],
    ['a frequent key', { customKey: 'season' }],
    ['a rare name', { name: 'thing 0777' }],
    ['a name that no record has', { name: 'nothing like it' }],
    ['a frequent tag and a rare key', { tag: 'melee', customKey: 'promotion' }],
  ];
  /** Counting stops at 2,000; with a filter that matches one record in ten, that reads ten times as many. */
  const A_PART = RECORDS / 4;
  test.each(filters)('%s is found without reading the list, with every sort', async (_, filter) => {
    for (const sort of ['name', 'item_type', 'version', 'updated'] as const) {
      const read = await countRead({ ...filter, sort, order });
      expect({ sort, read }).toEqual({ sort, read: Math.min(read, A_PART) });
    }
  });
});
