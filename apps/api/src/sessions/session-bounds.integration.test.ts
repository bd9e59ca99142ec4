// The database constraints on the columns that the join rules read.
import type { Database } from '@muster/database';
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: Database;
let drop: () => Promise<void>;

const KEY = '0198a9d2-0000-8000-8000-000000000001';
const JOINABLE = { join_status: 'joinable', host_type: 'dedicated', instance_health: 'healthy' };

beforeAll(async () => {
  const { url, ...created } = await createTestDatabase();
  drop = created.drop;
  database = openDatabase({ url });
  await insert(KEY, JOINABLE);
});

afterAll(async () => {
  await database.close();
  await drop();
});

const insert = (key: string, instance: object | null) =>
  database.pool.query(
    `INSERT INTO session (session_key, type, session_id, incarnation, created_at, instance)
     VALUES ($1, 'duel', 'any', 'a', now(), $2)`,
    [key, instance],
  );

const update = (instance: object | null) =>
  database.pool.query(`UPDATE session SET instance = $2 WHERE session_key = $1`, [KEY, instance]);

test.each(Object.keys(JOINABLE))('an unknown %s of an instance is refused', async (field) => {
  const constraint = `session_instance_${field.replace('instance_', '')}`;
  const refused = { code: '23514', constraint };
  const unknown = { ...JOINABLE, [field]: 'who knows' };
  await expect(insert('0198a9d2-0000-8000-8000-000000000002', unknown)).rejects.toMatchObject(
    refused,
  );
  await expect(update(unknown)).rejects.toMatchObject(refused);
});

test('known values, absent ones and a missing instance are accepted', async () => {
  for (const instance of [JOINABLE, { instance_id: 'i-1' }, {}, null]) {
    expect((await update(instance)).rowCount).toBe(1);
  }
});
