// What the service remembers and what waits in it.
import type { Registry } from 'prom-client';
import { Counter, Gauge } from 'prom-client';

export type CacheName = 'sessions' | 'platform_sessions' | 'tokens';

export type MemoryMetrics = {
  /** Watches a cache; what it answers hears of each look and whether something was found. */
  observeCache(cache: CacheName, countEntries: () => number): (isHit: boolean) => void;
  /** Watches how many joins and other changes of sessions wait in this process. */
  observeQueue(countWaiting: () => number): void;
};

export const createMemoryMetrics = (registry: Registry): MemoryMetrics => {
  const registers = [registry];
  const sizes = new Map<CacheName, () => number>();
  let countWaiting = () => 0;
  new Gauge({
    name: 'muster_cache_entries',
    help: 'What is remembered, by cache.',
    labelNames: ['cache'],
    registers,
    collect() {
      for (const [cache, countEntries] of sizes) this.set({ cache }, countEntries());
    },
  });
  const lookups = new Counter({
    name: 'muster_cache_lookups_total',
    help: 'Looks into a cache, by whether something was found.',
    labelNames: ['cache', 'result'],
    registers,
  });
  new Gauge({
    name: 'muster_session_queue_waiting',
    help: 'Joins and other changes of sessions that wait in this process.',
    registers,
    collect() {
      this.set(countWaiting());
    },
  });
  return {
    observeCache: (cache, countEntries) => {
      sizes.set(cache, countEntries);
      const [hit, miss] = (['hit', 'miss'] as const).map((result) =>
        lookups.labels({ cache, result }),
      );
      return (isHit) => (isHit ? hit : miss)?.inc();
    },
    observeQueue: (count) => {
      countWaiting = count;
    },
  };
};
