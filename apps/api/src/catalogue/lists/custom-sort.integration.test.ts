// Lists that are sorted by a key of custom data, compared with the same order in plain JavaScript.
import type { RecordWhere } from '@muster/contract';
import { readFilterNumber } from '@muster/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ItemInputs, XpInputs } from '../records/record-inputs.ts';
import { createRecordStore } from '../records/record-store.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from '../testing/open-test-catalogue.ts';
import { foldValue } from './where-rules.ts';

const SORT = 'custom_data.power';

/** Equal ones, numbers of every form, texts that look like numbers, and records without the key. */
const VALUES = [
  ...[
    '10',
    '9',
    '-3',
    '2.5',
    '007',
    '7',
    '2',
    '2.0',
    '-0',
    '0',
    '9007199254740993',
    `1${'0'.repeat(29)}`,
  ],
  ...[
    '1e1',
    '+5',
    ' 4',
    '1,5',
    '-',
    'Fire',
    'fire',
    'ICE',
    'é',
    '\uffff',
    '😀',
    '"',
    '\u0001',
    'x'.repeat(300),
  ],
  ...['', undefined, undefined, undefined],
  ...['10', 'fire', '2'],
];

type Listed = Awaited<ReturnType<TestCatalogue['catalogue']['items']['list']>>['records'][number];

let opened: TestCatalogue;
let sandbox_id: string;
let all: Listed[];
beforeAll(async () => {
  opened = await openTestCatalogue();
  sandbox_id = await opened.addSandbox();
  const { items } = opened.catalogue;
  const { records } = await items.bulk(ACTOR, {
    sandbox_id,
    operations: VALUES.map((power, index) => ({
      operation: 'create' as const,
      ...anItem(`Thing ${index % 7}`),
      item_type: index % 3 === 0 ? ('recipe' as const) : ('unit' as const),
      tags: index % 2 === 0 ? ['even'] : [],
      custom_data: { ...(power !== undefined && { power }), other: '5', 'power.x': '1' },
    })),
  });
  for (const { item_id } of records.filter((_, index) => index % 10 === 5)) {
    await items.delete(ACTOR, { sandbox_id, item_id, expected_version: 1 });
  }
  // Records of others: another sandbox, and an Xp table in this one.
  const other = await opened.addSandbox('Other');
  await items.create(ACTOR, { sandbox_id: other, ...anItem('a'), custom_data: { power: '3' } });
  await opened.catalogue.xp.create(ACTOR, {
    sandbox_id,
    name: 'a',
    xp_thresholds: [],
    custom_data: { power: '3' },
  });
  all = await readAll({ include_deleted: true }, 50);
});
afterAll(() => opened.close());

type Query = Partial<Parameters<TestCatalogue['catalogue']['items']['list']>[0]>;

const readAll = async (query: Query, page_size: number) => {
  const records: Listed[] = [];
  let cursor: string | undefined;
  do {
    const input = { sandbox_id, include_deleted: false, page_size, ...query, cursor };
    const page = await opened.catalogue.items.list(input);
    records.push(...page.records);
    cursor = page.page_meta.cursor;
  } while (cursor !== undefined);
  return records;
};

const idsOf = (records: readonly Listed[]) => records.map(({ item_id }) => item_id);

/** The part of the list, and the value inside it. */
const placeOf = ({ custom_data }: Listed): [part: number, value: number | string] => {
  const { power } = custom_data as Record<string, string | undefined>;
  if (!power) return [2, ''];
  const number = readFilterNumber(power);
  return number === undefined ? [1, [...foldValue(power)].slice(0, 257).join('')] : [0, number];
};

const compareValues = (left: number | string, right: number | string): number =>
  typeof left === 'number' && typeof right === 'number'
    ? left - right
    : Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));

const sorted = (order: 'asc' | 'desc', keeps: (record: Listed) => boolean): string[] => {
  const sign = order === 'asc' ? 1 : -1;
  const ascending = all.filter(keeps).toSorted((left, right) => {
    const [[leftPart, leftValue], [rightPart, rightValue]] = [placeOf(left), placeOf(right)];
    if (leftPart !== rightPart) return leftPart - rightPart;
    const byValue = compareValues(leftValue, rightValue);
    return sign * (byValue || (left.item_id < right.item_id ? -1 : 1));
  });
  return idsOf(ascending);
};

const HAS_TEXT: RecordWhere = { and: [{ field: SORT, op: 'is_not_empty' }] };
const isPresent = ({ deleted }: Listed) => !deleted;
const LISTS: [string, Query, (record: Listed) => boolean][] = [
  ['no filter', {}, isPresent],
  ['deleted ones too', { include_deleted: true }, () => true],
  ['only deleted ones', { only_deleted: true }, ({ deleted }) => deleted === true],
  ['a name', { name: 'THING 3' }, (item) => isPresent(item) && item.name === 'Thing 3'],
  ['a type', { item_type: 'recipe' }, (item) => isPresent(item) && item.item_type === 'recipe'],
  ['a tag', { tag: 'even' }, (item) => isPresent(item) && item.tags.includes('even')],
  ['a key', { custom_key: 'power' }, (item) => isPresent(item) && 'power' in item.custom_data],
  ['a filter by value', { where: HAS_TEXT }, (item) => isPresent(item) && placeOf(item)[0] < 2],
  ['a filter that nothing matches', { tag: 'none' }, () => false],
];

describe.each(['asc', 'desc'] as const)('%s', (order) => {
  test.each(LISTS)(
    'with %s: numbers, texts, then records without the key, each once with every page size',
    async (_, query, keeps) => {
      const expected = sorted(order, keeps);
      for (const size of [1, 2, 5, 50]) {
        const listed = await readAll({ ...query, sort: SORT, order }, size);
        expect(idsOf(listed)).toEqual(expected);
      }
    },
  );

  test.each([
    ['few', {}],
    ['some thousand', { total: 5_000 }],
    ['very many', { total: 10_001, ids: null }],
  ])('%s matches of a filter have the same order', async (_, changes) => {
    const store = createRecordStore(opened.database);
    const query = { sandboxId: sandbox_id, kind: 'item', deleted: false, where: HAS_TEXT } as const;
    const matched = { ...(await store.matchRecords(query)), ...changes };
    const listed: string[] = [];
    let after: Parameters<typeof store.listRecords>[0]['after'];
    for (;;) {
      const rows = await store.listRecords({
        ...query,
        matched,
        sort: SORT,
        order,
        after,
        limit: 3,
      });
      listed.push(...rows.map(({ recordId }) => recordId));
      const last = rows.at(-1);
      if (!last || rows.length < 3) break;
      after = { value: last.sortValue, name: '', id: last.recordId };
    }
    expect(listed).toEqual(sorted(order, (item) => isPresent(item) && placeOf(item)[0] < 2));
  });

  test('records in which nothing has the key are sorted by id', async () => {
    const listed = await readAll({ sort: 'custom_data.none', order }, 4);
    const ids = idsOf(all.filter(isPresent)).toSorted();
    expect(idsOf(listed)).toEqual(order === 'asc' ? ids : ids.toReversed());
  });
});

test('a changed value moves its record', async () => {
  const ids = async () => idsOf(await readAll({ sort: 'custom_data.season', order: 'asc' }, 50));
  const [first = '', second = ''] = (await ids()).toReversed();
  const { items } = opened.catalogue;
  const set = (item_id: string, expected_version: number, season: string) =>
    items.update(ACTOR, { sandbox_id, item_id, expected_version, custom_data: { season } });
  await set(first, 1, '20');
  await set(second, 1, '3');
  expect((await ids()).slice(0, 2)).toEqual([second, first]);
  await set(second, 2, 'none');
  expect((await ids()).slice(0, 2)).toEqual([first, second]);
});

test.each([
  ['another key', { sort: 'custom_data.other', order: 'asc' }],
  ['another order', { sort: SORT, order: 'desc' }],
  ['a column', { sort: 'version', order: 'asc' }],
] as const)('a cursor is refused by the list of %s', async (_, other) => {
  const at = { sandbox_id, include_deleted: false, page_size: 1 };
  const { items } = opened.catalogue;
  const { page_meta } = await items.list({ ...at, sort: SORT, order: 'asc' });
  const { cursor } = page_meta;
  expect(cursor).toBeDefined();
  const refused = items.list({ ...at, ...other, cursor });
  await expect(refused).rejects.toMatchObject({ code: 'input_invalid' });
});

test.each([
  ['no value', []],
  ['an empty text', ['']],
  ['a list', [[]]],
  ['a text with U+0000', ['\u0000']],
])('a cursor with %s is refused', async (_, value) => {
  const id = '00000000-0000-4000-8000-000000000000';
  const cursor = Buffer.from(JSON.stringify([SORT, 'asc', ...value, id])).toString('base64url');
  const at = { sandbox_id, include_deleted: false, page_size: 1 };
  const refused = opened.catalogue.items.list({ ...at, sort: SORT, order: 'asc', cursor });
  await expect(refused).rejects.toMatchObject({ code: 'input_invalid' });
});

test('a sort is a column of the list, or custom_data. and a key', () => {
  const accepts = (sort: string) =>
    [ItemInputs, XpInputs].map(({ list }) => list.safeParse({ sort }).success);
  expect(accepts('custom_data.a b\n.c')).toEqual([true, true]);
  expect(accepts(`custom_data.${'é'.repeat(128)}`)).toEqual([true, true]);
  expect(accepts('top')).toEqual([false, true]);
  for (const sort of ['', 'custom_data.', 'power', 'xcustom_data.a', 'custom_data.\u0000']) {
    expect(accepts(sort)).toEqual([false, false]);
  }
  expect(accepts(`custom_data.${'x'.repeat(129)}`)).toEqual([false, false]);
});
