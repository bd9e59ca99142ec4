// Lists filtered by value, compared with the rules as plain JavaScript over random records.
import type { RecordCondition, RecordWhere } from '@muster/contract';
import { FILTER_FIELDS, FILTER_OPERATORS, filterTypeOf, recordWhere } from '@muster/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRecordStore } from '../records/record-store.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from '../testing/open-test-catalogue.ts';
import { matchStatement } from './record-list-sql.ts';
import type { FilteredRecord } from './where-rules.ts';
import { matchesWhere } from './where-rules.ts';

const RECORDS = 150;
const SEED = 20_261_129;

/** Few and similar, so that conditions match often. */
const VALUES = [
  ...[
    '1',
    '2',
    '2.0',
    '-3',
    '007',
    '10',
    '1e1',
    'true',
    'FALSE',
    'a',
    'A',
    'ab',
    'b%',
    'b_',
    'é',
    'É',
  ],
  ...[
    '\\',
    '\uffff',
    '😀',
    'x'.repeat(256),
    'x'.repeat(257),
    `${'x'.repeat(300)}Y`,
    '9007199254740993',
  ],
];
const KEYS = ['price', 'rarity', 'a.b', 'Ä"'];
const value = fc.constantFrom(...VALUES);
const short = value.map((text) => text.slice(0, 256));

const item = fc.record({
  name: short,
  item_type: fc.constantFrom('unit' as const, 'recipe' as const),
  description: fc.option(short, { nil: undefined }),
  legacy: fc.boolean(),
  tags: fc.array(
    short.map((text) => text.slice(0, 128)),
    { maxLength: 3 },
  ),
  custom_data: fc.dictionary(fc.constantFrom(...KEYS), value, { noNullPrototype: true }),
  isDeleted: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});

const field = fc.constantFrom(
  ...Object.keys(FILTER_FIELDS.item),
  ...[...KEYS, 'none'].map((key) => `custom_data.${key}`),
);
const condition = field.chain((name) => {
  const type = filterTypeOf('item', name) ?? 'custom';
  const values = {
    number: fc.constantFrom('0', '1', '2', '2.5', '-3', '75', `1${'0'.repeat(29)}`),
    date: fc.constant('2026-01-01T00:00:00Z'),
  };
  const given = type === 'number' || type === 'date' ? values[type] : short;
  return fc
    .tuple(fc.constantFrom(...FILTER_OPERATORS[type]), given)
    .map(
      ([op, text]): RecordCondition =>
        op.startsWith('is_') ? { field: name, op } : { field: name, op, value: text },
    );
});
const conditions = fc.array(condition, { minLength: 1, maxLength: 3 });
const where = fc.oneof(
  fc.record({ and: conditions }),
  fc.record({ or: conditions }),
  fc.record({ and: conditions, or: conditions }),
);

type Stored = FilteredRecord & { id: string; isDeleted: boolean };

let opened: TestCatalogue;
let sandbox_id: string;
let records: Stored[];
beforeAll(async () => {
  opened = await openTestCatalogue();
  sandbox_id = await opened.addSandbox();
  const { items } = opened.catalogue;
  const drawn = fc.sample(item, { numRuns: RECORDS, seed: SEED });
  for (const [index, { legacy, isDeleted, ...fields }] of drawn.entries()) {
    const { item_id } = await items.create(ACTOR, {
      sandbox_id,
      ...anItem(fields.name),
      ...fields,
      ...(legacy && { legacy_item_id: index }),
    });
    const edit = { sandbox_id, item_id, expected_version: 1 };
    if (isDeleted) await items.delete(ACTOR, edit);
    else if (index % 3 === 0)
      await items.update(ACTOR, { ...edit, name: `${fields.name.slice(0, 250)} 2` });
  }
  // Records of others: another sandbox, and Xp tables in this one.
  const other = await opened.addSandbox('Other');
  await items.create(ACTOR, {
    sandbox_id: other,
    ...anItem('a'),
    tags: ['a'],
    custom_data: { price: '1' },
  });
  await opened.catalogue.xp.create(ACTOR, {
    sandbox_id,
    name: 'a',
    xp_thresholds: [],
    custom_data: { price: '1' },
  });
  records = (await readAll({ include_deleted: true })).map(
    ({ version, created, updated, deleted, item_id, ...fields }) => ({
      id: item_id,
      fields,
      version,
      created: new Date(created),
      updated: new Date(updated),
      isDeleted: deleted === true,
    }),
  );
}, 120_000);
afterAll(() => opened.close());

type Query = Partial<Parameters<TestCatalogue['catalogue']['items']['list']>[0]>;

const readAll = async (query: Query) => {
  const { items } = opened.catalogue;
  const pages: Awaited<ReturnType<typeof items.list>>[] = [];
  let cursor: string | undefined;
  do {
    const page = await items.list({
      sandbox_id,
      page_size: 40,
      include_deleted: false,
      ...query,
      cursor,
    });
    pages.push(page);
    cursor = page.page_meta.cursor;
  } while (cursor !== undefined);
  const all = pages.flatMap((page) => page.records);
  expect(pages[0]?.page_meta.total).toBe(all.length);
  return all;
};

const expected = (filter: RecordWhere, isWanted: (record: Stored) => boolean): string[] =>
  records
    .filter((record) => isWanted(record) && matchesWhere(filter, record))
    .map(({ id }) => id)
    .toSorted();

test('a filter lists and counts exactly the records that its rules name', async () => {
  expect(records).toHaveLength(RECORDS);
  const found = { some: 0, none: 0 };
  const check = async (filter: RecordWhere, state: number) => {
    expect(recordWhere('item').safeParse(filter).error).toBeUndefined();
    const query = [{}, { include_deleted: true }, { only_deleted: true }][state];
    const listed = await readAll({ ...query, where: filter });
    const ids = listed.map(({ item_id }) => item_id).toSorted();
    const isWanted = ({ isDeleted }: Stored) => state === 1 || isDeleted === (state === 2);
    expect(ids).toEqual(expected(filter, isWanted));
    found[ids.length > 0 ? 'some' : 'none'] += 1;
  };
  await fc.assert(fc.asyncProperty(where, fc.constantFrom(0, 0, 1, 2), check), {
    numRuns: 400,
    seed: SEED,
  });
  expect(Math.min(found.some, found.none)).toBeGreaterThan(40);
}, 120_000);

test('a filter that matches very many records finds the same ones', async () => {
  const store = createRecordStore(opened.database);
  const check = async (filter: RecordWhere) => {
    const page = await store.listRecords({
      sandboxId: sandbox_id,
      kind: 'item',
      deleted: false,
      where: filter,
      matched: { total: 10_001, ids: null },
      sort: 'name',
      order: 'asc',
      after: undefined,
      limit: RECORDS,
    });
    const ids = page.map(({ recordId }) => recordId).toSorted();
    expect(ids).toEqual(expected(filter, ({ isDeleted }) => !isDeleted));
  };
  await fc.assert(fc.asyncProperty(where, check), { numRuns: 200, seed: SEED });
}, 120_000);

test('a filter finds all matching records as one set', async () => {
  const check = async (filter: RecordWhere) => {
    const scope = { sandboxId: sandbox_id, kind: 'item', deleted: false, where: filter } as const;
    const { text, values } = matchStatement(scope);
    const { rows } = await opened.database.pool.query(text, values);
    const ids = String(rows[0].ids).slice(1, -1).split(',').filter(Boolean);
    expect(ids.toSorted()).toEqual(expected(filter, ({ isDeleted }) => !isDeleted));
    expect(rows[0].total).toBe(ids.length);
  };
  await fc.assert(fc.asyncProperty(where, check), { numRuns: 300, seed: SEED });
}, 120_000);

test('a filter by value combines with the other filters of the list, and with every order', async () => {
  const filter: RecordWhere = { or: [{ field: 'custom_data.price', op: 'is_not_empty' }] };
  const query = { where: filter, item_type: 'unit' as const, custom_key: 'rarity' };
  const wanted = expected(filter, ({ isDeleted, fields }) => {
    const isUnit = fields.item_type === 'unit';
    return !isDeleted && isUnit && 'rarity' in (fields.custom_data as object);
  });
  expect(wanted.length).toBeGreaterThan(3);
  for (const sort of ['name', 'item_type', 'version', 'updated'] as const) {
    for (const order of ['asc', 'desc'] as const) {
      const listed = await readAll({ ...query, sort, order, page_size: 2 });
      expect(listed.map(({ item_id }) => item_id).toSorted()).toEqual(wanted);
    }
  }
});
