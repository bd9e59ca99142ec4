import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from './create-test-database.ts';

test('copies made at once are isolated from each other', async () => {
  const databases = await Promise.all(Array.from({ length: 12 }, () => createTestDatabase()));
  const counts = await Promise.all(databases.map(({ url }) => insertAndCount(url)));
  expect(counts).toEqual(databases.map(() => 1));
  await Promise.all(databases.map((database) => database.drop()));
});

test('a dropped database is gone, even while someone is connected', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  await database.drop();
  await expect(insertAndCount(database.url)).rejects.toMatchObject({ code: '3D000' });
});

async function insertAndCount(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`INSERT INTO sandbox (sandbox_id, name) VALUES (gen_random_uuid(), 'x')`);
    const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM sandbox');
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}
