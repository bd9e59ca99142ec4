// The time of the first page of a list of 100,000 Items with a filter by value, its total included.
import type { RecordCondition, RecordWhere } from '@muster/contract';
import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillValuedRecords } from '../testing/fill-valued-records.ts';
import { createTestCatalogue } from '../testing/open-test-catalogue.ts';

const RECORDS = 100_000;
const RUNS = 20;
/** The goal is 100 ms on a quiet machine. A busy one takes several times as long. */
const P95_MS = 1_000;
const sandboxId = '0196b8a0-0000-7000-8000-000000000001';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ statementTimeoutMs: 240_000 });
  await fillValuedRecords(database, { sandboxId, records: RECORDS });
});
afterAll(() => database.close());

const is = (field: string, op: RecordCondition['op'], value?: string): RecordCondition =>
  value === undefined ? { field, op } : { field, op, value };

const [price, rarity, sword] = [
  is('custom_data.price', 'gt', '500'),
  is('custom_data.rarity', 'eq', 'legendary'),
  is('tags', 'has', 'sword'),
];

const FILTERS: Record<string, RecordWhere> = {
  'one key': { and: [rarity] },
  'one record': { and: [is('custom_data.id', 'eq', 'id-4711')] },
  'the example of the guide': { and: [price, rarity, sword] },
  'any of three': { or: [price, rarity, sword] },
  'all records': {
    and: [is('custom_data.price', 'gte', '0'), is('custom_data.season', 'gte', '0')],
  },
  'no record': { and: [price, is('custom_data.price', 'lt', '400'), rarity] },
  'half of the records, three times': {
    and: [price, is('custom_data.sold', 'is_true'), is('custom_data.season', 'lt', '25')],
  },
  negations: { and: [is('tags', 'has_not', 'sword'), is('custom_data.rarity', 'ne', 'common')] },
  'an absent key': { and: [is('custom_data.none', 'is_empty'), price] },
  'a part of a text': { and: [is('custom_data.id', 'contains', '4711'), price] },
  'a part of a description': { and: [is('description', 'contains', 'number 4711'), price] },
  'a name and a version': { and: [is('name', 'contains', '471'), is('version', 'lt', '2'), price] },
  'a time': { and: [is('updated', 'gt', '2026-01-01T12:00:00Z'), rarity, price] },
};

test.each(Object.entries(FILTERS))(
  'the first page of %s takes at most a second (p95)',
  async (name, where) => {
    const { items } = createTestCatalogue(database);
    const times: number[] = [];
    let total: number | undefined;
    for (let run = 0; run < RUNS; run += 1) {
      const start = performance.now();
      const page = await items.list({
        sandbox_id: sandboxId,
        page_size: 100,
        include_deleted: false,
        where,
      });
      times.push(performance.now() - start);
      total = page.page_meta.total;
    }
    const sorted = times.toSorted((left, right) => left - right);
    const p95 = sorted[Math.ceil(RUNS * 0.95) - 1] ?? 0;
    process.stdout.write(
      `${name}: ${total ?? 'more than 10,000'} records, p50 ${Math.round(sorted[RUNS / 2] ?? 0)} ms, p95 ${Math.round(p95)} ms\n`,
    );
    expect(p95).toBeLessThanOrEqual(P95_MS);
  },
);
