// The derived table of values always has what the snapshots of the records have.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, anXp, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
let sandbox_id: string;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const query = async (text: string, values: unknown[] = []) =>
  (await opened.database.pool.query(text, values)).rows;

/** `key[position]: text` or `key[position]: text = number`. */
const valuesOf = async (recordId: string): Promise<string[]> => {
  const rows = await query(
    `SELECT key || '[' || position || ']: ' || text || coalesce(' = ' || number, '') AS value
     FROM catalogue_value WHERE record_id = $1 ORDER BY key, position`,
    [recordId],
  );
  return rows.map(({ value }) => value);
};

test('an Item has one value per field, tag and key of custom data', async () => {
  sandbox_id = await opened.addSandbox();
  const { item_id } = await opened.catalogue.items.create(ACTOR, {
    sandbox_id,
    ...anItem('Sword'),
    description: 'Sharp ÄB',
    tags: ['Melee', 'rare'],
    custom_data: { price: '-12.50', rarity: 'Legendary', big: '9'.repeat(31), exponent: '1e5' },
  });
  expect(await valuesOf(item_id)).toEqual([
    `custom_data.big[0]: ${'9'.repeat(31)}`,
    'custom_data.exponent[0]: 1e5',
    'custom_data.price[0]: -12.50 = -12.5',
    'custom_data.rarity[0]: legendary',
    'description[0]: sharp Äb',
    'item_type[0]: unit',
    'tags[0]: melee',
    'tags[1]: rare',
  ]);
});

test('an Xp table has the number of its levels and the Xp of the last one', async () => {
  const { xp_id } = await opened.catalogue.xp.create(ACTOR, {
    sandbox_id,
    ...anXp('Levels'),
    xp_thresholds: [
      { level: 1, xp: 0 },
      { level: 2, xp: 250 },
    ],
  });
  expect(await valuesOf(xp_id)).toEqual(['levels[0]: 2 = 2', 'top[0]: 250 = 250']);
  const { xp_id: empty } = await opened.catalogue.xp.create(ACTOR, { sandbox_id, ...anXp('No') });
  expect(await valuesOf(empty)).toEqual(['levels[0]: 0 = 0', 'top[0]: 0 = 0']);
});

test('a value of 4,096 characters is kept whole beside its beginning', async () => {
  const long = `${'X'.repeat(4_095)}y`;
  const { item_id } = await opened.catalogue.items.create(ACTOR, {
    sandbox_id,
    ...anItem('Long'),
    custom_data: { long },
  });
  const rows = await query(
    `SELECT text, long_text FROM catalogue_value WHERE record_id = $1 AND key = 'custom_data.long'`,
    [item_id],
  );
  expect(rows).toEqual([{ text: 'x'.repeat(257), long_text: long.toLowerCase() }]);
});

test('an update, a deletion and a restore leave the values of the newest version', async () => {
  const items = opened.catalogue.items;
  const { item_id } = await items.create(ACTOR, {
    sandbox_id,
    ...anItem('Bow'),
    tags: ['a', 'b', 'c'],
    custom_data: { price: '1', gone: 'x' },
  });
  const edit = { sandbox_id, item_id };
  const patch = { tags: ['b'], custom_data: { price: '2' } };
  await items.update(ACTOR, { ...edit, expected_version: 1, ...patch });
  const values = ['custom_data.price[0]: 2 = 2', 'item_type[0]: unit', 'tags[0]: b'];
  expect(await valuesOf(item_id)).toEqual(values);
  await items.delete(ACTOR, { ...edit, expected_version: 2 });
  expect(await valuesOf(item_id)).toEqual(values);
  await items.restore(ACTOR, { ...edit, expected_version: 3 });
  expect(await valuesOf(item_id)).toEqual(values);
});

test('the purge of a sandbox removes its values', async () => {
  const gone = await opened.addSandbox('Gone');
  await opened.catalogue.items.create(ACTOR, { sandbox_id: gone, ...anItem('Net'), tags: ['a'] });
  const count = () =>
    query('SELECT count(*)::int AS n FROM catalogue_value WHERE sandbox_id = $1', [gone]);
  expect(await count()).toEqual([{ n: 2 }]);
  for (const table of ['catalogue_version', 'catalogue_name', 'catalogue_record']) {
    await query(`DELETE FROM ${table} WHERE sandbox_id = $1`, [gone]);
  }
  expect(await count()).toEqual([{ n: 0 }]);
});

test('the migration fills the table for existing records as the trigger does for new ones', async () => {
  const read = () => query('SELECT * FROM catalogue_value ORDER BY record_id, key, position');
  const maintained = await read();
  const script = await readFile(
    new URL('../../../../../prisma/migrations/0032_catalogue_value/migration.sql', import.meta.url),
    'utf8',
  );
  await query(
    `DROP TABLE catalogue_value; DROP TRIGGER catalogue_record_write_values ON catalogue_record;
     DROP FUNCTION write_catalogue_values; DROP FUNCTION catalogue_values`,
  );
  await query(script);
  expect(maintained.length).toBeGreaterThan(10);
  expect(await read()).toEqual(maintained);
});
