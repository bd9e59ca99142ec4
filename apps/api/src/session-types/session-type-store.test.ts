import type { Database } from '@muster/database';
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '../audit/index.ts';
import type { SessionTypeRecord } from './session-type-store.ts';
import { createSessionTypeStore } from './session-type-store.ts';

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  const { url, ...created } = await createTestDatabase();
  drop = created.drop;
  database = openDatabase({ url });
});

afterAll(async () => {
  await database.close();
  await drop();
});

const ACTOR: Actor = { accountId: 'live-ops' };

const recordOf = (seconds: number): SessionTypeRecord => ({
  ...{ type: 'duel', versionMatch: 'patch', defaultTeams: [] },
  ...{ invitationTtlSeconds: seconds, reservationTtlSeconds: null },
  ...{ absentTtlSeconds: null, endedRetentionSeconds: null },
});

test('changes of one millisecond, or of a clock that went back, have moments of their own', async () => {
  const { upsertType } = createSessionTypeStore(database);
  const moments: number[] = [];
  const change = async (seconds: number, now: Date) => {
    await upsertType(ACTOR, recordOf(seconds), now);
    const row = await database.prisma.sessionType.findUniqueOrThrow({ where: { type: 'duel' } });
    moments.push(row.updatedAt.getTime());
  };
  await change(10, new Date(5_000));
  await change(20, new Date(5_000));
  await change(30, new Date(4_000));
  await change(40, new Date(9_000));
  expect(moments).toEqual([5_000, 5_001, 5_002, 9_000]);
});

test('changes that arrive together all have a moment of their own', async () => {
  const { upsertType } = createSessionTypeStore(database);
  const now = new Date(20_000);
  await Promise.all([1, 2, 3, 4, 5].map((seconds) => upsertType(ACTOR, recordOf(seconds), now)));
  const row = await database.prisma.sessionType.findUniqueOrThrow({ where: { type: 'duel' } });
  expect(row.updatedAt.getTime()).toBe(20_004);
});
