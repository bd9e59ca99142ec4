import type { SessionTypeInput } from '@muster/contract';
import type { Database } from '@muster/database';
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '../platform/index.ts';
import { createSessionTypeService } from './session-types.ts';

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

const inputOf = (seconds: number): SessionTypeInput => ({
  ...{ type: 'duel', version_match: 'patch', default_teams: [] },
  invitation_ttl_seconds: seconds,
});

test('changes within one millisecond, or with a clock that went back, get different times', async () => {
  const moments: number[] = [];
  const change = async (seconds: number, now: Date) => {
    const { upsertType } = createSessionTypeService(database, () => now);
    await upsertType(ACTOR, inputOf(seconds));
    const row = await database.prisma.sessionType.findUniqueOrThrow({ where: { type: 'duel' } });
    moments.push(row.updatedAt.getTime());
  };
  await change(10, new Date(5_000));
  await change(20, new Date(5_000));
  await change(30, new Date(4_000));
  await change(40, new Date(9_000));
  expect(moments).toEqual([5_000, 5_001, 5_002, 9_000]);
});

test('concurrent changes all get different times', async () => {
  const now = new Date(20_000);
  const { upsertType } = createSessionTypeService(database, () => now);
  await Promise.all([1, 2, 3, 4, 5].map((seconds) => upsertType(ACTOR, inputOf(seconds))));
  const row = await database.prisma.sessionType.findUniqueOrThrow({ where: { type: 'duel' } });
  expect(row.updatedAt.getTime()).toBe(20_004);
});
