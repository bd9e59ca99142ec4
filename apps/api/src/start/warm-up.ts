// What the first requests would wait for otherwise. A load balancer sends a process its full share as soon as it listens.
import type { Database } from '@muster/database';

/** As many as one burst of joins uses at once. */
const CONNECTIONS = 4;

/** Opens connections of joins, and that of the watch over the database. A database that is away just now is no reason to stop. */
export const warmUp = async ({ keyedPool, ping }: Database): Promise<void> => {
  const queries = Array.from({ length: CONNECTIONS }, () => keyedPool.query('SELECT 1'));
  await Promise.allSettled([ping(), ...queries]);
};
