// Replaces the connections of a pool when the server behind them may have become another one, or the wrong one.
import type pg from 'pg';

/**
 * Returns a function that replaces the connections that the pool has at that moment: those that are idle at once, the others as
 * soon as they are released.
 */
export function makeRenewable(pool: pg.Pool): () => void {
  /** Those that were opened since the last renewal. */
  let current = new WeakSet<pg.ClientBase>();
  pool.on('connect', (client) => current.add(client));
  pool.on('release', (_error, client) => {
    // The pool does not keep a connection that is ending.
    if (!current.has(client)) void client.end();
  });
  return () => {
    current = new WeakSet();
    for (let idle = pool.idleCount; idle > 0; idle -= 1) {
      pool.connect((_error, _client, release) => release());
    }
  };
}
