import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foldName } from '../records/record.ts';
import type { HistoryClient } from '../testing/history-client.ts';
import { openHistoryClient } from '../testing/history-client.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, anXp, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
let client: HistoryClient;
beforeAll(async () => {
  opened = await openTestCatalogue();
  client = await openHistoryClient({ reader: opened.catalogue.reader, access: 'authenticated' });
});
afterAll(async () => {
  await client.close();
  await opened.close();
});

/** 40 Items of three versions each, half of which are or were called "… Sword …"; and as many Xp tables. */
const fillSandbox = async () => {
  const sandbox_id = await opened.addSandbox();
  const { items, xp } = opened.catalogue;
  const names = Array.from(
    { length: 40 },
    (_, index) => `${index % 2 ? 'Sword' : 'Shield'} ${index}`,
  );
  const create = names.map((name, index) => ({
    operation: 'create' as const,
    ...anItem(name),
    legacy_item_id: index % 4 === 0 ? index : undefined,
  }));
  const { records } = await items.bulk(ACTOR, { sandbox_id, operations: create });
  for (const expected_version of [1, 2]) {
    const operations = records.map(({ item_id, name }) => ({
      operation: 'update' as const,
      item_id,
      expected_version,
      name: `${name} mark ${expected_version}`,
    }));
    await items.bulk(ACTOR, { sandbox_id, operations });
  }
  const tables = names.map((name) => ({ operation: 'create' as const, ...anXp(name) }));
  await xp.bulk(ACTOR, { sandbox_id, operations: tables });
  return { sandbox_id, records };
};

/** Commits edits one by one: renames records into and out of every filter, creates and deletes records, and sets legacy ids. */
const createEditor = (
  sandbox_id: string,
  records: { item_id: string; legacy_item_id?: number | undefined }[],
) => {
  const { items, xp } = opened.catalogue;
  const versions = new Map(records.map(({ item_id }) => [item_id, 3]));
  const deleted = new Set<string>();
  let count = 0;
  let edited = Promise.withResolvers<void>();
  const editRecord = async ({ item_id, legacy_item_id }: (typeof records)[number]) => {
    const target = { sandbox_id, item_id, expected_version: versions.get(item_id) ?? 0 };
    versions.set(item_id, target.expected_version + 1);
    if (deleted.delete(item_id)) return items.restore(ACTOR, target);
    if (count % 7 === 0) {
      deleted.add(item_id);
      return items.delete(ACTOR, target);
    }
    const name = `${count % 2 ? 'Shield' : 'Sword'} renamed ${count}`;
    const legacy = legacy_item_id === undefined && {
      legacy_item_id: 1000 + records.findIndex((r) => r.item_id === item_id),
    };
    return items.update(ACTOR, { ...target, name, ...legacy });
  };
  return {
    edit: async () => {
      count += 1;
      const record = records[(count * 13) % records.length];
      if (count % 11 === 0) await items.create(ACTOR, { sandbox_id, ...anItem(`Sword ${count}`) });
      else if (count % 17 === 0) await xp.create(ACTOR, { sandbox_id, ...anXp(`Sword ${count}`) });
      else if (record) await editRecord(record);
      edited.resolve();
      edited = Promise.withResolvers<void>();
    },
    nextEdit: () => edited.promise,
    count: () => count,
  };
};

/** The expected content of the pages: read from the tables before the editor starts. */
const expectedVersions = async (sandboxId: string, name?: string, legacyIds?: number[]) => {
  const { catalogueVersion, catalogueRecord } = opened.database.prisma;
  const rows = await catalogueVersion.findMany({
    where: { sandboxId, kind: 'item' },
    orderBy: { seq: 'desc' },
  });
  const held = await catalogueRecord.findMany({ where: { sandboxId, kind: 'item' } });
  const matching = new Set(
    rows
      .filter(({ versionName }) => foldName(versionName).includes(foldName(name ?? '')))
      .map(({ recordId }) => recordId),
  );
  const legacy = new Map(held.map(({ recordId, legacyId }) => [recordId, Number(legacyId ?? -1)]));
  return rows
    .filter(({ recordId }) => matching.has(recordId))
    .filter(({ recordId }) => !legacyIds || legacyIds.includes(legacy.get(recordId) ?? -1))
    .map(({ versionId }) => versionId);
};

/** Ten that exist from the start, and those that the editor sets on other records. */
const legacyIds = [
  ...Array.from({ length: 10 }, (_, index) => 4 * index),
  ...Array.from({ length: 40 }, (_, index) => 1000 + index),
];

type Query = { name?: string; legacy_item_ids?: number[] };

const QUERIES: [string, Query][] = [
  ['without a filter', {}],
  ['by a name that half of the records have', { name: 'sword' }],
  ['by a name that a few records have', { name: 'shield 2' }],
  ['by a short name', { name: 'SW' }],
  ['by legacy ids, some set while pages are read', { legacy_item_ids: legacyIds }],
  ['by legacy ids and a name', { legacy_item_ids: legacyIds, name: 'shield' }],
];

const ORDERS = ['desc', 'asc'] as const;
const histories = QUERIES.flatMap(([title, query]) =>
  ORDERS.map((sort_order) => ({ title, query, sort_order })),
);

describe('pages of 7 versions, while another client commits 500 edits,', () => {
  type Outcome = { given: string[]; expected: string[]; totals: number[]; after: string[] };
  const outcomes: Outcome[] = [];

  /** All histories start before the editor; each next page waits until some more edits are committed. */
  beforeAll(async () => {
    const { sandbox_id, records } = await fillSandbox();
    const expect = ({ query, sort_order }: (typeof histories)[number]) =>
      expectedVersions(sandbox_id, query.name, query.legacy_item_ids).then((versions) =>
        sort_order === 'desc' ? versions : versions.toReversed(),
      );
    const expected = await Promise.all(histories.map(expect));
    const editor = createEditor(sandbox_id, records);
    const started = Promise.withResolvers<void>();
    let begun = 0;
    const editing = started.promise.then(async () => {
      while (editor.count() < 500) await editor.edit();
    });
    const between = async () => {
      begun += 1;
      if (begun === histories.length) started.resolve();
      const target = Math.min(500, editor.count() + 25);
      while (editor.count() < target) await editor.nextEdit();
    };
    const all = histories.map(({ query, sort_order }) =>
      client.readAllPages(sandbox_id, { ...query, sort_order, page_size: 7 }, 'item', between),
    );
    const given = await Promise.all(all);
    await editing;
    const after = await Promise.all(histories.map(expect));
    for (const [index, pages] of given.entries()) {
      outcomes.push({
        given: pages.flatMap((page) => page.transactions.map(({ version_id }) => version_id)),
        expected: expected[index] ?? [],
        totals: pages.map(({ page_meta }) => page_meta.total),
        after: after[index] ?? [],
      });
    }
  }, 60_000);

  const titled = histories.map((history, index) => ({ ...history, index }));

  test.each(titled)(
    '$title, $sort_order, returns each version that existed at its start once',
    (history) => {
      const { given, expected, totals, after } = outcomes[history.index]!;
      expect(expected.length).toBeGreaterThan(0);
      expect(given).toEqual(expected);
      expect(new Set(totals)).toEqual(new Set([expected.length]));
      expect(after).not.toEqual(expected);
    },
  );
});

test('return the exact total for every filter when they start after the edits', async () => {
  const { sandbox_id, records } = await fillSandbox();
  const editor = createEditor(sandbox_id, records);
  for (let index = 0; index < 120; index += 1) await editor.edit();
  for (const query of [{}, { name: 'sword' }, { legacy_item_ids: legacyIds }]) {
    const expected = await expectedVersions(
      sandbox_id,
      'name' in query ? query.name : undefined,
      'legacy_item_ids' in query ? query.legacy_item_ids : undefined,
    );
    const { page_meta, transactions } = await client.get(sandbox_id, { ...query, page_size: 1000 });
    expect(transactions.map(({ version_id }) => version_id)).toEqual(expected);
    expect(page_meta).toEqual({ page_size: 1000, total: expected.length });
  }
});
