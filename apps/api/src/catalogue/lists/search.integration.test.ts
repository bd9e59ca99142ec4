import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, anXp, openTestCatalogue } from '../testing/open-test-catalogue.ts';
import type { SearchService } from './search-service.ts';
import { createSearchService } from './search-service.ts';
import { createSearchStore } from './search-store.ts';

let opened: TestCatalogue;
let search: SearchService;
let live: string;
let test1: string;
let swordId: string;
const ADA = '7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a70';

beforeAll(async () => {
  opened = await openTestCatalogue();
  search = createSearchService(createSearchStore(opened.database));
  live = await opened.addSandbox('Live');
  test1 = await opened.addSandbox('Test');
  const { items, xp } = opened.catalogue;
  const sword = await items.create(ACTOR, {
    sandbox_id: live,
    ...anItem('Ölsword'),
    legacy_item_id: 77,
  });
  swordId = sword.item_id;
  await items.create(ACTOR, { sandbox_id: live, ...anItem('Sword of Dawn') });
  await items.create(ACTOR, { sandbox_id: live, ...anItem('Broadsword') });
  await items.create(ACTOR, { sandbox_id: test1, ...anItem('Sword of Tests') });
  await xp.create(ACTOR, { sandbox_id: live, ...anXp('Swordmastery') });
  const gone = await items.create(ACTOR, { sandbox_id: live, ...anItem('Swordfish') });
  await items.delete(ACTOR, { sandbox_id: live, item_id: gone.item_id, expected_version: 1 });
  const { pool } = opened.database;
  await pool.query(
    `INSERT INTO player (player_uuid, display_name) VALUES ($1, 'Ada_Lovelace'), ($2, NULL)`,
    [ADA, randomUUID()],
  );
  await pool.query('INSERT INTO player_legacy_id VALUES (77, $1)', [ADA]);
  for (const [id, ended] of [
    ['sword-1', null],
    ['sword-10', null],
    ['sword-2', new Date()],
    ['my-sword', null],
  ]) {
    await pool.query(
      `INSERT INTO session (session_key, type, session_id, incarnation, created_at, ended_at)
       VALUES (gen_random_uuid(), 'duel', $1, 'x', now(), $2)`,
      [id, ended],
    );
  }
});
afterAll(() => opened.close());

const find = (query: string, sandbox?: string) => search.find(['*'], query, sandbox);
const namesIn = async (query: string, sandbox?: string) =>
  (await find(query, sandbox)).records.map(({ name }) => name);

describe('records', () => {
  test('are found by a part of the name without case, names that begin with it first', async () => {
    expect(await namesIn('SWORD', live)).toEqual([
      'Swordmastery',
      'Sword of Dawn',
      'Ölsword',
      'Broadsword',
    ]);
    expect(await namesIn('öLS')).toEqual(['Ölsword']);
    expect(await namesIn('sw')).toHaveLength(5);
    expect(await namesIn('s_ord')).toEqual([]);
  });

  test('are found in one sandbox or in all', async () => {
    expect(await namesIn('sword of')).toEqual(['Sword of Dawn', 'Sword of Tests']);
    expect(await namesIn('sword of', test1)).toEqual(['Sword of Tests']);
  });

  test('are found by id and by legacy id', async () => {
    const found = { kind: 'item', record_id: swordId, name: 'Ölsword', sandbox_id: live };
    expect((await find(` ${swordId.toUpperCase()} `)).records).toEqual([found]);
    expect((await find('77')).records).toEqual([found]);
  });

  test('are limited to eight', async () => {
    const many = await opened.addSandbox('Many');
    const operations = Array.from({ length: 600 }, (_, n) => ({
      operation: 'create' as const,
      ...anItem(`Common ${n}`),
    }));
    await opened.catalogue.items.bulk(ACTOR, { sandbox_id: many, operations });
    expect(await namesIn('common')).toHaveLength(8);
  });
});

test('finds live sessions by the beginning of their id', async () => {
  expect((await find('sword-')).sessions).toEqual([
    { type: 'duel', session_id: 'sword-1' },
    { type: 'duel', session_id: 'sword-10' },
  ]);
  expect((await find('%')).sessions).toEqual([]);
});

test('finds players by UUID, legacy id and a part of the display name', async () => {
  const ada = { player_uuid: ADA, display_name: 'Ada_Lovelace', player_id: 77 };
  for (const query of [ADA, '77', 'LOVE', 'ada_']) {
    expect((await find(query)).players).toEqual([ada]);
  }
  expect((await find('adaX')).players).toEqual([]);
});

test('finds nothing that the caller may not view', async () => {
  const nothing = { records: [], sessions: [], players: [] };
  expect(await search.find([], 'sword', undefined)).toEqual(nothing);
  expect(await search.find([], 'sword', live)).toEqual(nothing);
  const narrowed = [`sandbox:${test1}:config:view`];
  const { records } = await search.find(narrowed, 'sword of', undefined);
  expect(records.map(({ sandbox_id }) => sandbox_id)).toEqual([test1]);
  expect(await search.find(narrowed, 'sword', live)).toEqual(nothing);
  expect((await search.find(['player:view'], '77', undefined)).players).toHaveLength(1);
  expect((await search.find(['session:view'], '77', undefined)).players).toEqual([]);
  expect((await search.find(['session:view'], 'sword-1', undefined)).sessions).toHaveLength(2);
});
