// The default retention of ended sessions: ENDED_SESSION_RETENTION_DAYS.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JoinNode } from './testing/join-nodes.ts';
import { startNode } from './testing/join-nodes.ts';
import type { SweptSessions } from './testing/swept-sessions.ts';
import { openSweptSessions } from './testing/swept-sessions.ts';

const DAY_MS = 24 * 60 * 60_000;
const UPGRADE = new Date('2026-03-01T00:00:00.000Z');
const daysAfterUpgrade = (days: number) => new Date(UPGRADE.getTime() + days * DAY_MS);

let opened: SweptSessions;
beforeAll(async () => {
  opened = await openSweptSessions();
  await query(
    `UPDATE _prisma_migrations SET finished_at = $1 WHERE migration_name = '0026_ended_session_retention'`,
    [UPGRADE],
  );
});
afterAll(() => opened.close());
beforeEach(() => query('DELETE FROM session'));

const query = (sql: string, values: unknown[] = []) =>
  opened.nodes[0].database.pool.query(sql, values);

/** Ended sessions of a type, or live ones where `endedAt` is null. */
const addSessions = (type: string, endedAt: Date | null, count = 1) =>
  query(
    `INSERT INTO session (session_key, type, session_id, incarnation, created_at, ended_at)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), 'i', '2026-01-01', $2 FROM generate_series(1, $3)`,
    [type, endedAt, count],
  );

const countByType = async (): Promise<Record<string, number>> => {
  const { rows } = await query('SELECT type, count(*)::int AS count FROM session GROUP BY type');
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
};

/** Sweeps like a process that has just started, at this time. */
const sweepAt = async (now: Date, endedSessionDays?: number): Promise<void> => {
  const node: JoinNode = startNode(opened.url, {
    now: () => now,
    ...(endedSessionDays !== undefined && { endedSessionDays }),
  });
  try {
    await node.sweeper.sweep();
  } finally {
    await node.database.close();
  }
};

test('deletes ended sessions of every type after the days, and no live or younger ones', async () => {
  await addSessions('duel', daysAfterUpgrade(1), 120);
  await addSessions('raid', daysAfterUpgrade(1));
  await addSessions('raid', daysAfterUpgrade(3));
  await addSessions('live', null);
  await sweepAt(new Date(daysAfterUpgrade(31).getTime() - 1), 30);
  expect(await countByType()).toEqual({ duel: 120, raid: 2, live: 1 });
  await sweepAt(daysAfterUpgrade(31), 30);
  expect(await countByType()).toEqual({ raid: 1, live: 1 });
});

test('keeps sessions that ended before the upgrade for the days after it', async () => {
  await addSessions('old', daysAfterUpgrade(-400));
  await sweepAt(new Date(daysAfterUpgrade(30).getTime() - 1), 30);
  expect(await countByType()).toEqual({ old: 1 });
  await sweepAt(daysAfterUpgrade(30), 30);
  expect(await countByType()).toEqual({});
});

test('follows the session type where it sets a retention, shorter or longer', async () => {
  const day = 24 * 3_600;
  const longer = await opened.createType({ endedRetentionSeconds: 300 * day });
  const shorter = await opened.createType({ endedRetentionSeconds: day });
  const unset = await opened.createType({});
  for (const type of [longer, shorter, unset]) await addSessions(type, daysAfterUpgrade(1));
  await sweepAt(daysAfterUpgrade(2), 30);
  expect(await countByType()).toEqual({ [longer]: 1, [unset]: 1 });
  await sweepAt(daysAfterUpgrade(40), 30);
  expect(await countByType()).toEqual({ [longer]: 1 });
});

test('keeps ended sessions for ever without the setting', async () => {
  await addSessions(randomUUID(), daysAfterUpgrade(1));
  await sweepAt(daysAfterUpgrade(10_000));
  expect(Object.values(await countByType())).toEqual([1]);
});
