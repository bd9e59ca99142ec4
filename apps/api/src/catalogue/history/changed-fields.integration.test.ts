import { readFile } from 'node:fs/promises';
import type { Database } from '@muster/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDemoData } from '../../cli/demo/index.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

type Row = { sandbox_id: string; seq: string; changed_fields: string[] };

const readChangedFields = async ({ pool }: Database, where = 'true'): Promise<Row[]> => {
  const sql = `SELECT sandbox_id, seq, changed_fields FROM catalogue_version WHERE ${where}
ORDER BY sandbox_id, seq`;
  return (await pool.query<Row>(sql)).rows;
};

test('a version lists the fields that differ from the previous version', async () => {
  const { items } = opened.catalogue;
  const sandbox_id = await opened.addSandbox();
  const { item_id, version_id } = await items.create(ACTOR, {
    sandbox_id,
    ...anItem('Sword'),
    description: 'Long',
  });
  const edit = { sandbox_id, item_id };
  const custom_data = { damage: '4' };
  await items.update(ACTOR, { ...edit, expected_version: 1, description: null, custom_data });
  await items.delete(ACTOR, { ...edit, expected_version: 2 });
  await items.restore(ACTOR, { ...edit, expected_version: 3 });
  await items.update(ACTOR, { ...edit, expected_version: 4, legacy_item_id: 7 });
  await items.restore(ACTOR, { ...edit, expected_version: 5, version_id });
  const rows = await readChangedFields(opened.database, `sandbox_id = '${sandbox_id}'`);
  expect(rows.map(({ changed_fields }) => changed_fields)).toEqual([
    ['name', 'description', 'item_type', 'tags', 'custom_data'],
    ['description', 'custom_data'],
    [],
    [],
    ['legacy_item_id'],
    ['description', 'custom_data'],
  ]);
});

describe('for the versions of the demo', () => {
  let demo: TestCatalogue;
  beforeAll(async () => {
    demo = await openTestCatalogue();
    await loadDemoData(demo.database);
  });
  afterAll(() => demo.close());

  test('the migration computes the same values as the program', async () => {
    const { database } = demo;
    const written = await readChangedFields(database);
    expect(written.length).toBeGreaterThan(4_000);
    const migration = new URL(
      '../../../../../prisma/migrations/0004_catalogue_admin/migration.sql',
      import.meta.url,
    );
    const backfill = /^WITH "step"[^;]+;/m.exec(await readFile(migration, 'utf8'))?.[0];
    await database.pool.query(`UPDATE catalogue_version SET changed_fields = '{}'`);
    await database.pool.query(backfill ?? '');
    expect(await readChangedFields(database)).toEqual(written);
  });
});
