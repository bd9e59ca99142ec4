import type { Database } from '@muster/database';
import { expect, test } from 'vitest';
import { createReplicaStore } from './history-replica-store.ts';
import type { HistoryStore } from './history-store.ts';

const SCOPE = { sandboxId: '0', kind: 'item' as const, filter: {} };
const RANGE = { order: 'asc' as const, low: 1, high: 1, asOf: 1, limit: 1 };

/** An empty primary, and a replica whose connections never open. */
const openSilent = () => {
  const asked = { replica: 0, primary: 0 };
  const primary: HistoryStore = {
    start: async () => ({ asOf: 1, total: 1 }),
    readPage: async () => {
      asked.primary += 1;
      return [];
    },
  };
  const connect = () => {
    asked.replica += 1;
    return new Promise<never>(() => {});
  };
  const replica = { pool: { connect } as unknown as Database['pool'] };
  const store = createReplicaStore(primary, {
    replica,
    patienceMs: 50,
    pauseMs: 50,
    onChange: () => {},
  });
  const readPages = (count: number) =>
    Promise.all(Array.from({ length: count }, () => store.readPage(SCOPE, RANGE, 1)));
  return { asked, readPages };
};

test('a replica that still does not respond delays only one page at a time', async () => {
  const { asked, readPages } = openSilent();
  await readPages(10);
  expect(asked).toEqual({ replica: 10, primary: 10 });
  await expect
    .poll(async () => {
      await readPages(10);
      return asked.replica;
    })
    .toBeGreaterThan(10);
  expect(asked.replica).toBe(11);
});
