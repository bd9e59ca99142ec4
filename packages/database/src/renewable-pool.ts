// Replaces the connections of a pool when the server behind them may have become another one, or the wrong one.
import type pg from 'pg';

type RenewablePool = {
  /** Replaces the connections that the pool has at that moment: idle ones at once, the others as soon as they are released. */
  renew(): void;
  /** The same, and ends the connections in use at once. The statements that they run fail. */
  interrupt(): void;
};

export function makeRenewable(pool: pg.Pool): RenewablePool {
  /** Those that were opened since the last renewal. */
  let current = new WeakSet<pg.ClientBase>();
  const inUse = new Set<pg.Client>();
  pool.on('connect', (client) => current.add(client));
  pool.on('acquire', (client) => inUse.add(client as pg.Client));
  pool.on('release', (_error, client) => {
    inUse.delete(client as pg.Client);
    // The pool does not keep a connection that is ending.
    if (!current.has(client)) void (client as pg.Client).end();
  });
  const renew = () => {
    current = new WeakSet();
    for (let idle = pool.idleCount; idle > 0; idle -= 1) {
      // Where others have taken the idle ones, the pool may be full for longer than it lets anything wait: there is no connection then.
      pool.connect((error, _client, release) => {
        if (!error) release();
      });
    }
  };
  return {
    renew,
    interrupt: () => {
      renew();
      for (const client of inUse) void client.end();
    },
  };
}
