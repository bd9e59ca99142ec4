import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HistoryClient } from '../testing/history-client.ts';
import { openHistoryClient } from '../testing/history-client.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, anXp, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
let client: HistoryClient;
let sandbox: string;
/** Ids of the Items by their original name. */
const ids: Record<string, string> = {};
let levelsId: string;

/** Sword (legacy 1) is renamed to Blade, Shield (legacy 2) is deleted, 100%_Club is unchanged. Xp Levels (legacy 1). */
beforeAll(async () => {
  opened = await openTestCatalogue();
  client = await openHistoryClient({ reader: opened.catalogue.reader, access: 'authenticated' });
  sandbox = await opened.addSandbox();
  const { items, xp } = opened.catalogue;
  const names = [['Sword', 1], ['Shield', 2], ['100%_Club\\']] as const;
  for (const [name, legacy_item_id] of names) {
    const input = { sandbox_id: sandbox, ...anItem(name), legacy_item_id };
    ids[name] = (await items.create(ACTOR, input)).item_id;
  }
  const input = { sandbox_id: sandbox, ...anXp('Levels'), legacy_xp_id: 1 };
  levelsId = (await xp.create(ACTOR, input)).xp_id;
  const edit = { sandbox_id: sandbox, expected_version: 1 };
  await items.update(ACTOR, { ...edit, item_id: ids.Sword!, name: 'Bläde' });
  await items.delete(ACTOR, { ...edit, item_id: ids.Shield! });
});
afterAll(async () => {
  await client.close();
  await opened.close();
});

const summarise = (answer: Awaited<ReturnType<HistoryClient['get']>>) =>
  answer.transactions.map(({ operation, version_name }) => `${operation} ${version_name}`);

const EVERYTHING = [
  'delete Shield',
  'update Bläde',
  'insert 100%_Club\\',
  'insert Shield',
  'insert Sword',
];

test('an unfiltered history lists every version of its kind, newest first, with the exact total', async () => {
  const answer = await client.get(sandbox);
  expect(summarise(answer)).toEqual(EVERYTHING);
  expect(answer.page_meta).toEqual({ page_size: 50, total: 5 });
  expect(answer.transactions[1]).toEqual({
    account_id: 'editor-1',
    transaction_id: expect.any(String),
    issued_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    operation: 'update',
    version_id: expect.any(String),
    version_name: 'Bläde',
    version: { ...anItem('Bläde'), item_id: ids.Sword, legacy_item_id: 1 },
  });
  const xp = await client.get(sandbox, {}, 'xp');
  expect(xp.transactions.map(({ version }) => version.xp_id)).toEqual([levelsId]);
  expect(xp.page_meta.total).toBe(1);
});

test('lists the same versions in the opposite order with asc', async () => {
  expect(summarise(await client.get(sandbox, { sort_order: 'asc' }))).toEqual(
    EVERYTHING.toReversed(),
  );
});

describe('filters', () => {
  const sword = ['update Bläde', 'insert Sword'];
  const shield = ['delete Shield', 'insert Shield'];
  const unknown = '00000000-0000-4000-8000-00000000dead';

  test.each<[string, () => Parameters<HistoryClient['get']>[1], string[]]>([
    ['one id', () => ({ item_ids: ids.Sword }), sword],
    [
      'an id in capitals, twice',
      () => ({ item_ids: [ids.Sword!.toUpperCase(), ids.Sword!] }),
      sword,
    ],
    [
      'two ids, merged by position',
      () => ({ item_ids: [ids.Sword!, ids.Shield!] }),
      ['delete Shield', 'update Bläde', 'insert Shield', 'insert Sword'],
    ],
    ['a known and an unknown id', () => ({ item_ids: `${ids.Sword},${unknown}` }), sword],
    ['an unknown id', () => ({ item_ids: unknown }), []],
    ['ids that are no UUIDs', () => ({ item_ids: ['x', 'y'] }), []],
    ['a UUID and another text', () => ({ item_ids: ['x', ids.Sword!] }), sword],
    ['the id of another kind', () => ({ item_ids: levelsId }), []],
    ['a legacy id', () => ({ legacy_item_ids: 2 }), shield],
    ['legacy ids, including unknown ones', () => ({ legacy_item_ids: '2,99,-1' }), shield],
    [
      'an id and a legacy id of one record',
      () => ({ item_ids: ids.Shield, legacy_item_ids: 2 }),
      shield,
    ],
    [
      'an id and a legacy id of two records',
      () => ({ item_ids: ids.Sword, legacy_item_ids: 2 }),
      [],
    ],
    ['a part of the current name', () => ({ name: 'LÄD' }), sword],
    ['a part of a former name', () => ({ name: 'sWo' }), sword],
    [
      'a part of two names',
      () => ({ name: 's' }),
      [...shield.slice(0, 1), ...sword.slice(0, 1), 'insert Shield', 'insert Sword'],
    ],
    ['%', () => ({ name: '%' }), ['insert 100%_Club\\']],
    ['_', () => ({ name: '_club' }), ['insert 100%_Club\\']],
    ['a backslash', () => ({ name: 'club\\' }), ['insert 100%_Club\\']],
    ['a name that no record ever had', () => ({ name: 'bow' }), []],
    ['an empty name', () => ({ name: '' }), EVERYTHING],
    ['a name and an id of the same record', () => ({ name: 'sword', item_ids: ids.Sword }), sword],
    ['a name and an id of different records', () => ({ name: 'sword', item_ids: ids.Shield }), []],
    [
      'a name and a legacy id of the same record',
      () => ({ name: 'sword', legacy_item_ids: 1 }),
      sword,
    ],
  ])('%s', async (_, query, expected) => {
    for (const [sort_order, versions] of [
      ['desc', expected],
      ['asc', expected.toReversed()],
    ] as const) {
      const pages = await client.readAllPages(sandbox, { ...query(), sort_order, page_size: 1 });
      expect(pages.flatMap(summarise)).toEqual(versions);
      expect(pages.map(({ page_meta }) => page_meta.total)).toEqual(
        pages.map(() => expected.length),
      );
    }
  });

  test('of Xp tables work in the same way', async () => {
    for (const query of [{ xp_ids: levelsId }, { legacy_xp_ids: 1 }, { name: 'EVEL' }]) {
      const answer = await client.get(sandbox, query, 'xp');
      expect(answer.transactions.map(({ version_name }) => version_name)).toEqual(['Levels']);
    }
  });
});

test('an unknown sandbox has an empty history', async () => {
  const answer = await client.get('00000000-0000-4000-8000-00000000dead', { page_size: 9 });
  expect(answer).toEqual({
    status: 200,
    transactions: [],
    page_meta: { page_size: 9, total: 0 },
  });
});

describe('cursors', () => {
  const cursorOf = async (query: object = {}) =>
    (await client.get(sandbox, { page_size: 2, ...query })).page_meta.cursor!;

  test('continue with another page size', async () => {
    const cursor = await cursorOf();
    const rest = await client.get(sandbox, { cursor, page_size: 3 });
    expect(summarise(rest)).toEqual(EVERYTHING.slice(2));
    expect(rest.page_meta).toEqual({ page_size: 3, total: 5 });
  });

  test('are absent on the last page, even when it is full', async () => {
    const full = await client.get(sandbox, { page_size: 5 });
    expect(full.page_meta).toEqual({ page_size: 5, total: 5 });
    expect((await client.get(sandbox, { page_size: 4 })).page_meta).toHaveProperty('cursor');
  });

  test('of another kind, sandbox, order or filter are refused with 422', async () => {
    const cursor = await cursorOf();
    const other = await opened.addSandbox('Other');
    const answers = [
      await client.get(sandbox, { cursor }, 'xp'),
      await client.get(other, { cursor }),
      await client.get(sandbox, { cursor, sort_order: 'asc' }),
      await client.get(sandbox, { cursor, name: 'x' }),
      await client.get(sandbox, { cursor, item_ids: ids.Sword }),
      await client.get(sandbox, { cursor, legacy_item_ids: 1 }),
      await client.get(sandbox, { cursor: `${cursor.slice(0, -1)}!` }),
      await client.get(sandbox, { cursor: 'nonsense' }),
    ];
    for (const { status, detail } of answers) {
      expect(status).toBe(422);
      const problem = { loc: ['query', 'cursor'], type: 'value_error.cursor' };
      expect(detail).toMatchObject([problem]);
    }
  });

  test('are valid for the same filters in another spelling', async () => {
    const query = { item_ids: [ids.Sword!, ids.Shield!], name: 'S' };
    const cursor = await cursorOf(query);
    const item_ids = `${ids.Shield!.toUpperCase()},${ids.Sword},${ids.Sword}`;
    const rest = await client.get(sandbox, { cursor, item_ids, name: 's' });
    expect(summarise(rest)).toEqual(['insert Shield', 'insert Sword']);
  });
});

describe('readers', () => {
  const statusFor = async (
    permissions: readonly string[] | null,
    access: 'authenticated' | 'public' = 'authenticated',
  ) => {
    const reader = await openHistoryClient({
      reader: opened.catalogue.reader,
      access,
      permissions,
    });
    const { status, code } = await reader.get(sandbox);
    await reader.close();
    return code ?? status;
  };

  test('need the permission to view or edit the sandbox', async () => {
    for (const permission of ['config:view', 'config:edit', '*']) {
      expect(await statusFor([`sandbox:${permission}`])).toBe(200);
      expect(await statusFor([`sandbox:${sandbox}:${permission}`])).toBe(200);
    }
    for (const permission of ['session:*', 'sandbox:00000000-0000-4000-8000-00000000dead:*']) {
      expect(await statusFor([permission])).toBe('insufficient_permissions');
    }
    expect(await statusFor(null)).toBe('auth_missing');
  });

  test('need no permission when the histories are public', async () => {
    expect(await statusFor(null, 'public')).toBe(200);
    expect(await statusFor(['session:*'], 'public')).toBe(200);
  });
});
