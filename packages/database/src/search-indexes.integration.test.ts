import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findMissingSearchIndexes } from './search-indexes.ts';
import type { TestDatabase } from './testing/index.ts';
import { createTestDatabase } from './testing/index.ts';

let database: TestDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

test('names every index that is missing without the extensions, and the guide creates them', async () => {
  expect(await findMissingSearchIndexes(client)).toEqual([]);
  await client.query('DROP EXTENSION pg_trgm CASCADE');
  expect(await findMissingSearchIndexes(client)).toEqual([
    'catalogue_name_contains',
    'catalogue_record_name_contains',
    'catalogue_value_long_contains',
    'player_name_contains',
    'audit_record_target_contains',
  ]);
  const guide = await readFile(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
  const [, script = ''] =
    /## Searches by name are slow[\s\S]*?```sql\n([\s\S]*?)```/.exec(guide) ?? [];
  for (const statement of script.trim().split('\n')) await client.query(statement);
  expect(await findMissingSearchIndexes(client)).toEqual([]);
});

test('names none in a database without tables', async () => {
  const empty = await createTestDatabase({ migrated: false });
  const other = new pg.Client({ connectionString: empty.url });
  await other.connect();
  expect(await findMissingSearchIndexes(other)).toEqual([]);
  await other.end();
  await empty.drop();
});
