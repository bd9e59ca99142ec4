// What a program takes a database for that Citus has divided, where there is none.
import type { Shards } from '../distribution/shards.ts';

/** All shards are on one node, and no function can tell. */
export const divideEqually = (shards: number): Shards => {
  const size = Math.floor(2 ** 32 / shards);
  const ranges = Array.from({ length: shards }, (_, index) => ({
    from: index * size - 2 ** 31,
    node: 0,
  }));
  const tables = ['session', 'platform_session_route', 'player'];
  return { shards, shardRanges: Object.fromEntries(tables.map((table) => [table, ranges])) };
};
