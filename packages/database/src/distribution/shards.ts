// Finds the shard of a row in a distributed table. All rows of one statement must be in one shard, so that the statement needs
// one node and an outage of another node does not affect it. Citus hashes the key as a hash index does, and gives each shard a
// range of the hashes. The ranges are equal until a shard is split.
import { withClient } from '../client.ts';
import { classifyDatabaseError, isPoolExhausted } from '../database-error.ts';

/** How a database is divided. */
export type Shards = {
  /** How many parts each distributed table has; 1 where every table is whole. */
  shards: number;
  /** The shards of each table, in the order of their ranges; empty where every table is whole. */
  shardRanges: Readonly<Record<string, readonly ShardRange[]>>;
};

type ShardRange = {
  /** The lowest hash that is in it. */
  from: number;
  node: number;
};

export const UNDIVIDED: Shards = { shards: 1, shardRanges: {} };

const LIMITS = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 };

/** As the database says it now. */
export const findShards = (url: string): Promise<Shards> =>
  withClient({ connectionString: url, ...LIMITS }, async (client) => {
    const { rows } = await client.query<{ citus: boolean }>(HAS_CITUS);
    if (!rows[0]?.citus) return UNDIVIDED;
    const placed = await client.query<{ table: string; ranges: ShardRange[] }>(READ_RANGES);
    const shardRanges = Object.fromEntries(placed.rows.map((row) => [row.table, row.ranges]));
    return { shards: shardRanges.session?.length ?? 1, shardRanges };
  });

const HAS_CITUS = `SELECT to_regclass('pg_dist_shard') IS NOT NULL AS citus`;
const READ_RANGES = `
  SELECT s.logicalrelid::text AS "table", json_agg(json_build_object('from', s.shardminvalue::int, 'node',
    (SELECT min(p.groupid) FROM pg_dist_placement p WHERE p.shardid = s.shardid)) ORDER BY s.shardminvalue::int) AS ranges
  FROM pg_dist_shard s WHERE s.shardminvalue IS NOT NULL GROUP BY s.logicalrelid`;

/**
 * For a batcher of a table whose keys are digests in hexadecimal or begin with a UUID: each call asks one shard, and the calls
 * of a node that does not answer hold up no other. Nothing where every table is whole.
 */
export const groupByShard = (divided: Shards, table: string) => {
  if (divided.shards === 1) return {};
  const ranges = divided.shardRanges[table];
  const groupOf = (key: string) => shardOf(key.split(' ', 1)[0] ?? '', ranges);
  return { ...groupByNode(divided, table), groupOf };
};

/** The same for calls that may ask several shards of one node. */
export const groupByNode = ({ shards, shardRanges }: Shards, table: string) => {
  if (shards === 1) return {};
  const ranges = shardRanges[table];
  const nodeOf = (key: string) => ranges?.[shardOf(key.split(' ', 1)[0] ?? '', ranges)]?.node ?? 0;
  return { nodeOf, isOutage };
};

const isOutage = (error: unknown): boolean =>
  ['unavailable', 'timeout'].includes(classifyDatabaseError(error)) && !isPoolExhausted(error);

/** From 0. The key is 16 or 32 bytes in hexadecimal, with hyphens or without. */
export const shardOf = (key: string, ranges: readonly ShardRange[] = []): number => {
  if (ranges.length === 0) return 0;
  const hash = hashBytes(Buffer.from(key.replaceAll('-', ''), 'hex'));
  let [first, behind] = [0, ranges.length];
  while (behind - first > 1) {
    const middle = (first + behind) >> 1;
    if ((ranges[middle]?.from ?? 0) <= hash) first = middle;
    else behind = middle;
  }
  return first;
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
