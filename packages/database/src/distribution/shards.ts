// Which shard of a distributed table a row is in: what one statement touches has to be in one shard, so that it needs one
// node, and meets no other that is away. Citus hashes the key as a hash index does, and cuts the hashes into equal ranges.
import pg from 'pg';

/** The number of shards of the sessions in a database on Citus; 1 where every table is whole. */
export async function countShards(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that breaks rejects the query, too.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ citus: boolean }>(HAS_CITUS);
    if (!rows[0]?.citus) return 1;
    const counted = await client.query<{ shards: number }>(COUNT_SHARDS);
    return counted.rows[0]?.shards || 1;
  } finally {
    await client.end();
  }
}

const HAS_CITUS = `SELECT to_regclass('pg_dist_shard') IS NOT NULL AS citus`;
const COUNT_SHARDS = `
  SELECT count(*)::int AS shards FROM pg_dist_shard WHERE logicalrelid = to_regclass('session')`;

/**
 * For a batcher whose keys are digests in hexadecimal or begin with a UUID: each call asks one of so many shards. Nothing where every table
 * is whole.
 */
export const groupByShard = (shards: number): { groupOf?: (key: string) => number } => {
  if (shards === 1) return {};
  return { groupOf: (key) => shardOf(key.split(' ', 1)[0] ?? '', shards) };
};

/** From 0. The key is 16 or 32 bytes in hexadecimal, with hyphens or without. */
export const shardOf = (key: string, shards: number): number => {
  if (shards === 1) return 0;
  const range = Math.floor(2 ** 32 / shards);
  const hash = hashBytes(Buffer.from(key.replaceAll('-', ''), 'hex'));
  return Math.min(Math.floor((hash + 2 ** 31) / range), shards - 1);
};

/** `hash_bytes` of PostgreSQL (common/hashfn.c, lookup3 by Bob Jenkins), for lengths that 4 divides. */
export const hashBytes = (key: Buffer): number => {
  const initial = (0x9e3779b9 + key.length + 3_923_095) | 0;
  let [a, b, c] = [initial, initial, initial];
  let at = 0;
  for (; key.length - at >= 12; at += 12) {
    a += key.readInt32LE(at);
    b += key.readInt32LE(at + 4);
    c += key.readInt32LE(at + 8);
    a = (a - c) ^ rotate(c, 4);
    c += b;
    b = (b - a) ^ rotate(a, 6);
    a += c;
    c = (c - b) ^ rotate(b, 8);
    b += a;
    a = (a - c) ^ rotate(c, 16);
    c += b;
    b = (b - a) ^ rotate(a, 19);
    a += c;
    c = (c - b) ^ rotate(b, 4);
    b += a;
  }
  if (key.length > at) a += key.readInt32LE(at);
  if (key.length > at + 4) b += key.readInt32LE(at + 4);
  c = (c ^ b) - rotate(b, 14);
  a = (a ^ c) - rotate(c, 11);
  b = (b ^ a) - rotate(a, 25);
  c = (c ^ b) - rotate(b, 16);
  a = (a ^ c) - rotate(c, 4);
  b = (b ^ a) - rotate(a, 14);
  c = (c ^ b) - rotate(b, 24);
  return c | 0;
};

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));
