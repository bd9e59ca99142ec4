import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAuditRow } from '../platform/index.ts';
import type { Seat, SessionState } from './session.ts';
import { withSeat } from './session.ts';
import type { FoundPlayers, SessionWrite } from './session-sql.ts';
import { createSessionWriter, UnstorableError } from './session-store.ts';
import type { JoinNode } from './testing/join-nodes.ts';
import { createSession, openJoinNodes } from './testing/join-nodes.ts';

const NOTHING_FOUND: FoundPlayers = [];

let node: JoinNode;
let close: () => Promise<void>;

beforeAll(async () => {
  const opened = await openJoinNodes();
  [node] = opened.nodes;
  close = opened.close;
});

afterAll(() => close());

const createSessions = async (count: number): Promise<SessionState[]> => {
  const sessions: SessionState[] = [];
  while (sessions.length < count) {
    const { name } = await createSession(node, 10);
    sessions.push(await node.sessions.getSession(name));
  }
  return sessions;
};

/** Holds one more seat. */
const writeOf = (base: SessionState, customData: Record<string, string> = {}): SessionWrite => {
  const at = new Date();
  const taken = { playerUuid: randomUUID(), seatedAt: at, invitedAt: at };
  const seat: Seat = { ...taken, teamId: 0, status: 'invited', customData };
  const next = { ...base, seats: withSeat(base.seats, seat), version: base.version + 1 };
  return { base, next, events: [{ kind: 'player_invited', accountId: 'backend', at }] };
};

const countSeats = async ({ type, sessionId }: SessionState): Promise<number> =>
  (await node.sessions.getSession({ type, sessionId })).seats.size;

const startWriter = () => {
  const batches: number[] = [];
  const onBatch = (size: number) => batches.push(size);
  return { batches, write: createSessionWriter(node.database, { onBatch }) };
};

test('concurrent writes are batched in statements of a bounded size', async () => {
  const sessions = await createSessions(40);
  const { batches, write } = startWriter();
  const written = await Promise.all(sessions.map((session) => write(writeOf(session))));
  expect(written).toEqual(sessions.map(() => NOTHING_FOUND));
  expect(batches).toEqual([24, 16]);
  expect(await Promise.all(sessions.map(countSeats))).toEqual(sessions.map(() => 1));
});

test('a locked session is a conflict at once and delays no other session', async () => {
  const [locked, ...others] = await createSessions(4);
  const client = await node.database.pool.connect();
  try {
    await client.query('BEGIN');
    const lock = 'SELECT 1 FROM session WHERE session_key = $1 FOR NO KEY UPDATE';
    await client.query(lock, [locked!.key]);
    const { write } = startWriter();
    const writes = [locked!, ...others].map((session) => write(writeOf(session)));
    expect(await Promise.all(writes)).toEqual([null, NOTHING_FOUND, NOTHING_FOUND, NOTHING_FOUND]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  expect(await countSeats(locked!)).toBe(0);
});

test('a value that the database refuses fails only its own write', async () => {
  const sessions = await createSessions(6);
  const { write } = startWriter();
  const results = await Promise.allSettled(
    sessions.map((session, index) => write(writeOf(session, index === 4 ? { bad: '\0' } : {}))),
  );
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    true,
    true,
    true,
    false,
    true,
  ]);
  expect(results[4]).toMatchObject({ reason: expect.any(UnstorableError) });
  expect(await Promise.all(sessions.map(countSeats))).toEqual([1, 1, 1, 1, 0, 1]);
});

test('stores ends, details and audit records of the sessions that it writes, and of no other', async () => {
  const [seated, closed, ended, outdated] = await createSessions(4);
  const { batches, write } = startWriter();
  const audit = (id: string) => {
    const entry = { action: 'sessions.test', target: { id } };
    return toAuditRow({ accountId: 'backend' }, entry, new Date());
  };
  const closing = writeOf(closed!);
  const details = { ...closed!.details, joinable: false, customData: { b: '1', a: '2' } };
  const written = await Promise.all([
    write(writeOf(seated!)),
    write({ ...closing, next: { ...closing.next, details }, audits: [audit('closed')] }),
    write({ ...writeOf(ended!), endedAt: new Date(), audits: [audit('ended')] }),
    write({
      ...writeOf({ ...outdated!, version: outdated!.version + 1 }),
      endedAt: new Date(),
      audits: [audit('outdated')],
    }),
  ]);
  expect(written).toEqual([NOTHING_FOUND, NOTHING_FOUND, NOTHING_FOUND, null]);
  expect(batches).toEqual([4]);
  expect((await node.sessions.getSession(closed!)).details).toEqual(details);
  expect(await countSeats(seated!)).toBe(1);
  await expect(countSeats(ended!)).rejects.toMatchObject({ code: 'session_not_found' });
  expect(await countSeats(outdated!)).toBe(0);
  const where = { action: 'sessions.test' };
  const records = await node.database.prisma.auditRecord.findMany({ where });
  expect(new Set(records.map(({ target }) => target))).toEqual(
    new Set([{ id: 'closed' }, { id: 'ended' }]),
  );
});

test('one of two concurrent writes of a session has a conflict', async () => {
  const [session] = await createSessions(1);
  const { write } = startWriter();
  const written = await Promise.all([write(writeOf(session!)), write(writeOf(session!))]);
  expect(written).toEqual([NOTHING_FOUND, null]);
  expect(await countSeats(session!)).toBe(1);
});

test('nothing is written when version, incarnation or rules of the session differ', async () => {
  const [session] = await createSessions(1);
  const { write } = startWriter();
  expect(await write(writeOf({ ...session!, version: session!.version + 1 }))).toBe(null);
  expect(await write(writeOf({ ...session!, incarnation: 'another' }))).toBe(null);
  const since = new Date();
  expect(await write(writeOf({ ...session!, rules: { ...session!.rules, since } }))).toBe(null);
  expect(await countSeats(session!)).toBe(0);
});
