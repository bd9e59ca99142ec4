import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '../platform/errors.ts';
import { invitePlayer } from './seat-rules.ts';
import type { SessionName } from './session.ts';
import { sessionKeyOf } from './session.ts';
import type { SessionChange } from './session-batch.ts';
import { toSessionResource } from './session-resource.ts';
import type { JoinNode } from './testing/join-nodes.ts';
import { startNode } from './testing/join-nodes.ts';

const ACTOR = { accountId: 'backend', requestId: 'r-1', address: '192.0.2.1' };

let nodes: JoinNode[];
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  nodes = [{}, { maxAttempts: 1 }, { maxAttempts: 1 }].map((limits) =>
    startNode(database.url, limits),
  );
});

afterAll(async () => {
  await Promise.all(nodes.map(({ database }) => database.close()));
  await drop();
});

const first = () => nodes[0]!;

const createSession = async (platformSessionId: string = randomUUID()): Promise<SessionName> => {
  const { session } = await first().sessions.createSession(ACTOR, {
    type: 'queue',
    joinable: true,
    teams: [{ max_size: 100 }],
    platform_session: [
      {
        platform: 'Steam',
        platform_session_type: 'lobby',
        platform_session_id_base64: platformSessionId,
      },
    ],
  });
  return session;
};

const hold = (): SessionChange => ({
  accountId: 'backend',
  decide: (session, now) =>
    invitePlayer(session, { playerUuid: randomUUID(), teamId: 0, status: 'invited' }, now),
});

test('changes that wait for a session are written together', async () => {
  const { type, sessionId } = await createSession();
  const key = sessionKeyOf({ type, sessionId });
  const states = await Promise.all(
    Array.from({ length: 50 }, () => first().queue.change(key, hold())),
  );
  const newest = states.at(-1)!;
  expect(newest.seats.size).toBe(50);
  expect(newest.version).toBeLessThanOrEqual(4);
});

test('a change is refused as busy when all attempts conflict, and nothing is lost', async () => {
  const { type, sessionId } = await createSession();
  const key = sessionKeyOf({ type, sessionId });
  let seated = 0;
  let busy = 0;
  for (let attempt = 0; attempt < 200 && busy === 0; attempt += 1) {
    const attempts = [1, 2].map((node) => nodes[node]!.queue.change(key, hold()));
    for (const result of await Promise.allSettled(attempts)) {
      if (result.status === 'fulfilled') seated += 1;
      else busy += result.reason.code === 'session_busy' ? 1 : 0;
    }
  }
  expect(busy).toBeGreaterThan(0);
  expect((await first().sessions.getSession({ type, sessionId })).seats.size).toBe(seated);
});

test('a change finds no session after it has ended', async () => {
  const name = await createSession();
  const key = sessionKeyOf(name);
  const before = first().queue.change(key, hold());
  const end = first().sessions.endSession(ACTOR, name);
  const after = first().queue.change(key, {
    accountId: 'late',
    decide: () => {
      throw new ServiceError('seat_held');
    },
  });
  await expect(Promise.all([before, end])).resolves.toHaveLength(2);
  await expect(after).rejects.toMatchObject({ code: 'session_not_found' });
  await expect(first().sessions.getSession(name)).rejects.toMatchObject({
    code: 'session_not_found',
  });
});

test('ending a session frees its platform sessions and its id', async () => {
  const id = randomUUID();
  const name = await createSession(id);
  await expect(createSession(id)).rejects.toMatchObject({ code: 'platform_session_taken' });
  await first().sessions.endSession(ACTOR, name);
  const again = await createSession(id);
  expect(again.sessionId).not.toBe(name.sessionId);
});

test('a change and its audit record commit together; a change without effect writes none', async () => {
  const name = await createSession();
  const { sessions, database } = first();
  const update = (region_id: string) => sessions.updateSession(ACTOR, name, { region_id });
  await update('eu');
  await update('eu');
  const records = await database.prisma.auditRecord.findMany({
    where: { action: 'sessions.update' },
  });
  expect(records).toMatchObject([{ accountId: 'backend', requestId: 'r-1', address: '192.0.2.1' }]);
});

test('an update with an older ETag is refused with the current one', async () => {
  const name = await createSession();
  const { sessions } = first();
  const stale = '"stale"';
  await expect(
    sessions.updateSession(ACTOR, name, { joinable: false }, stale),
  ).rejects.toMatchObject({ code: 'session_etag_mismatch', evidence: { facts: {} } });
});

test('every write returns the stored state when a held seat expires and is taken again', async () => {
  const { database, queue, sessions } = first();
  const type = `expiring-${randomUUID()}`;
  await database.prisma.sessionType.create({ data: { type, invitationTtlSeconds: 1 } });
  const { session } = await sessions.createSession(ACTOR, {
    type,
    joinable: true,
    platform_session: [],
    teams: [{ max_size: 4 }],
  });
  const { key, sessionId } = session;
  const holdFor = (playerUuid: string, delayMs: number): SessionChange => ({
    accountId: 'backend',
    decide: (session, now) => {
      const at = new Date(now.getTime() + delayMs);
      return invitePlayer(session, { playerUuid, teamId: 0, status: 'invited' }, at);
    },
  });
  const [early, other] = [randomUUID(), randomUUID()];
  await queue.change(key, holdFor(early, 0));
  await queue.change(key, holdFor(other, 500));
  const answered = await queue.change(key, holdFor(early, 1200));
  const stored = await sessions.getSession({ type, sessionId });
  expect(toSessionResource(answered)).toEqual(toSessionResource(stored));
  expect(stored.seats.get(early)?.seatedAt).toEqual(answered.seats.get(early)?.seatedAt);
});

test('an exclusive change has its own batch: earlier changes are answered without it', async () => {
  const name = await createSession();
  const key = sessionKeyOf(name);
  const { queue, sessions } = first();
  const player = randomUUID();
  const busy = queue.change(key, hold());
  const joined = queue.change(key, {
    accountId: player,
    decide: (session, now) =>
      invitePlayer(session, { playerUuid: player, teamId: 0, status: 'invited' }, now),
  });
  const kicked = sessions.removePlayer(ACTOR, name, { playerUuid: player });
  await busy;
  expect((await joined).seats.has(player)).toBe(true);
  expect((await kicked).seats.has(player)).toBe(false);
});
