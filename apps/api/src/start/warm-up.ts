// What the first requests would wait for otherwise. A load balancer sends a process its full share as soon as it listens.
import type { Database } from '@muster/database';

/**
 * Opens all connections of joins, and that of the watch over the database: while a busy machine compiles what is new to it, opening
 * one under load may take longer than a join waits. A database that is away just now is no reason to stop.
 */
export const warmUp = async ({ keyedPool, ping }: Database): Promise<void> => {
  const queries = Array.from({ length: keyedPool.options.max }, () => keyedPool.query('SELECT 1'));
  await Promise.allSettled([ping(), ...queries]);
};
