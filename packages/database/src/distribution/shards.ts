// Which shard of a distributed table a row is in: what one statement touches has to be in one shard, so that it needs one
// node, and meets no other that is away. Citus hashes the key as a hash index does, and cuts the hashes into equal ranges.
import pg from 'pg';
import { classifyDatabaseError, isPoolExhausted } from '../database-error.ts';

/** How a database is divided. */
export type Shards = {
  /** How many parts each distributed table has; 1 where every table is whole. */
  shards: number;
  /** On which node each shard is, by table; empty where every table is whole. */
  shardNodes: Readonly<Record<string, readonly number[]>>;
};

export const UNDIVIDED: Shards = { shards: 1, shardNodes: {} };

/** As the database says it now. */
export const findShards = async (url: string): Promise<Shards> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that breaks rejects the query, too.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ citus: boolean }>(HAS_CITUS);
    if (!rows[0]?.citus) return UNDIVIDED;
    const placed = await client.query<{ table: string; nodes: number[] }>(READ_NODES);
    const shardNodes = Object.fromEntries(placed.rows.map(({ table, nodes }) => [table, nodes]));
    return { shards: shardNodes.session?.length ?? 1, shardNodes };
  } finally {
    await client.end();
  }
};

const HAS_CITUS = `SELECT to_regclass('pg_dist_shard') IS NOT NULL AS citus`;
const READ_NODES = `
  SELECT s.logicalrelid::text AS "table", array_agg(
    (SELECT min(p.groupid) FROM pg_dist_placement p WHERE p.shardid = s.shardid) ORDER BY s.shardminvalue::int) AS nodes
  FROM pg_dist_shard s WHERE s.shardminvalue IS NOT NULL GROUP BY s.logicalrelid`;

/**
 * For a batcher of a table whose keys are digests in hexadecimal or begin with a UUID: each call asks one shard, and the calls
 * of a node that does not answer hold up no other. Nothing where every table is whole.
 */
export const groupByShard = (divided: Shards, table: string) => {
  if (divided.shards === 1) return {};
  const groupOf = (key: string) => shardOf(key.split(' ', 1)[0] ?? '', divided.shards);
  return { ...groupByNode(divided, table), groupOf };
};

/** The same for calls that may ask several shards of one node. */
export const groupByNode = ({ shards, shardNodes }: Shards, table: string) => {
  if (shards === 1) return {};
  const nodeOf = (key: string) =>
    shardNodes[table]?.[shardOf(key.split(' ', 1)[0] ?? '', shards)] ?? 0;
  return { nodeOf, isOutage };
};

const isOutage = (error: unknown): boolean =>
  ['unavailable', 'timeout'].includes(classifyDatabaseError(error)) && !isPoolExhausted(error);

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
