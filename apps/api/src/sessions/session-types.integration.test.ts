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
  type: 'duel',
  version_match: 'patch',
  default_teams: [],
  invitation_ttl_seconds: seconds,
});

test('changes within one millisecond, or after a clock was set back, get different times', async () => {
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

test('a list of a thousand wide types ends after two megabytes, sorted by name', async () => {
  const teams = Array.from({ length: 100 }, (_, n) => ({ team_id: n, max_size: 100_000 }));
  await database.prisma.sessionType.createMany({
    data: Array.from({ length: 1_000 }, (_, n) => ({
      type: `wide-${String(n).padStart(4, '0')}`,
      defaultTeams: teams,
    })),
  });
  const listed = await createSessionTypeService(database).listTypes();
  expect(listed.slice(0, 3).map(({ type }) => type)).toEqual(['duel', 'wide-0000', 'wide-0001']);
  const bytes = Buffer.byteLength(JSON.stringify(listed));
  expect(bytes).toBeGreaterThan(1.8 * 1_048_576);
  expect(bytes).toBeLessThan(2 * 1_048_576 + 10_000);
});
