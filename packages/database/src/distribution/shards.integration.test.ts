// The shard of a key, computed in the program, against the hash of PostgreSQL, by which Citus chooses it.
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase, divideEqually } from '../testing/index.ts';
import { findShards, hashBytes, shardOf } from './shards.ts';

test('the hash of a key is that of PostgreSQL, and a database without Citus is one shard', async () => {
  const { url, drop } = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const uuids = Array.from({ length: 50 }, () => randomUUID());
    // As long as a digest; the text is its own bytes.
    const texts = uuids.map(() => randomBytes(16).toString('hex'));
    const { rows } = await client.query(
      `SELECT uuid_hash(u) AS uuid, hashtext(t COLLATE "C") AS text
       FROM unnest($1::uuid[], $2::text[]) AS a(u, t)`,
      [uuids, texts],
    );
    const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');
    expect(rows).toEqual(
      uuids.map((uuid, index) => ({
        uuid: hashBytes(bytesOf(uuid)),
        text: hashBytes(Buffer.from(texts[index] ?? '')),
      })),
    );
    expect(await findShards(url)).toEqual({ shards: 1, shardRanges: {} });
  } finally {
    await client.end();
    await drop();
  }
});

test('a key is in the shard whose range its hash is in, of equal ranges and of a split one', () => {
  // uuid_hash gives -276850746, in the fourteenth of 32 ranges: [-402653184, -268435457].
  const key = '11111111-1111-1111-1111-111111111111';
  const { session: equal = [] } = divideEqually(32).shardRanges;
  expect(shardOf(key, equal)).toBe(13);
  const split = (from: number) => equal.toSpliced(14, 0, { from, node: 1 });
  expect(shardOf(key, split(-276_850_746))).toBe(14);
  expect(shardOf(key, split(-276_850_745))).toBe(13);
  expect(shardOf(key)).toBe(0);
});
