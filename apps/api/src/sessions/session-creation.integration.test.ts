// Concurrent creations of conflicting sessions: one is created, and the other gets the reason.
import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { etagOf, toSessionResource } from './session-resource.ts';
import type { JoinNode } from './testing/join-nodes.ts';
import { ACTOR, createSession, openJoinNodes, platformSession } from './testing/join-nodes.ts';

let nodes: readonly JoinNode[];
let close: () => Promise<void>;

beforeAll(async () => {
  const opened = await openJoinNodes();
  nodes = opened.nodes;
  close = opened.close;
});

afterAll(() => close());

afterEach(() => run('DROP FUNCTION IF EXISTS on_insert CASCADE'));

const run = (sql: string) => nodes[0]!.database.pool.query(sql);

/** Runs the statement before each row is inserted into a table. */
const onInsert = (table: string, statement: string) =>
  run(`
    CREATE FUNCTION on_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NEW; END $$;
    CREATE TRIGGER on_insert BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION on_insert()`);

/** The codes of the refused creations. */
const createAtOnce = async (changes: Parameters<typeof createSession>[2][]): Promise<unknown[]> => {
  const created = changes.map((change, index) => createSession(nodes[index % 2]!, 4, change));
  const settled = await Promise.allSettled(created);
  return settled.flatMap((result) =>
    result.status === 'rejected' ? (result.reason.code ?? result.reason) : [],
  );
};

test('creates one of many sessions with the same name and refuses the others with session_exists', async () => {
  await onInsert('session', 'PERFORM pg_sleep(0.1)');
  const session_id = randomUUID();
  const regions = ['eu', 'us', 'asia', 'africa'];
  const same = regions.map((region_id) => ({ session_id, region_id, platform_session: [] }));
  expect(await createAtOnce(same)).toEqual(['session_exists', 'session_exists', 'session_exists']);
});

test('answers every repetition of a creation with the one session, which has its seats once', async () => {
  await onInsert('session', 'PERFORM pg_sleep(0.1)');
  const input = {
    type: 'match',
    session_id: randomUUID(),
    joinable: true,
    teams: [{ max_size: 2 }],
    platform_session: [platformSession()],
    players: [randomUUID(), randomUUID()].map((player_uuid) => ({
      player_uuid,
      team_id: 0,
      status: 'reserved' as const,
    })),
  };
  const [first, second] = nodes as [JoinNode, JoinNode];
  const create = (node: JoinNode, change: object = {}) =>
    node.sessions.createSession(ACTOR, { ...input, ...change });
  const created = await Promise.all([first, second, first, second].map((node) => create(node)));
  expect(new Set(created.map(({ session }) => session.incarnation)).size).toBe(1);
  const { joinable, ...others } = input;
  const reordered = await second.sessions.createSession(ACTOR, { ...others, joinable });
  expect(reordered).toEqual(created[0]);
  expect([...reordered.session.seats.keys()].sort()).toEqual(
    input.players.map(({ player_uuid }) => player_uuid).sort(),
  );
  await expect(create(first, { region_id: 'eu' })).rejects.toMatchObject({
    code: 'session_exists',
  });
});

test('returns a created session with the same bytes as a later read', async () => {
  const players = [randomUUID(), randomUUID(), randomUUID()];
  const [first, second] = nodes as [JoinNode, JoinNode];
  const { session } = await first.sessions.createSession(ACTOR, {
    type: 'match',
    joinable: false,
    teams: [{ max_size: 2, ticket_ids: [], custom_data: { b: 'é"\\', a: '' } }, { max_size: 1 }],
    platform_session: [platformSession()],
    instance: {
      instance_id: 'one',
      host_type: 'dedicated',
      join_status: 'joinable',
      version: '1.4.2',
    },
    custom_data: { z: '1', a: '2', '10': '3' },
    players: players.map((player_uuid, index) => ({
      player_uuid,
      player_id: randomInt(2 ** 40),
      team_id: index % 2,
      status: 'invited' as const,
      source_session_id: 'party',
    })),
  });
  const read = await second.sessions.getSession(session);
  expect(JSON.stringify(toSessionResource(read))).toBe(JSON.stringify(toSessionResource(session)));
  expect(etagOf(read)).toBe(etagOf(session));
});

test('a creation is the same one with defaults, ignored members and another session type', async () => {
  const [node] = nodes as [JoinNode, JoinNode];
  const input = {
    type: randomUUID(),
    session_id: randomUUID(),
    joinable: true,
    teams: [{ max_size: 2 }],
    platform_session: [],
  };
  const { session } = await node.sessions.createSession(ACTOR, input);
  for (const same of [
    { ...input, players: [] },
    { ...input, teams: [{ max_size: 2, team_id: 0 }] },
    { ...input, teams: [{ max_size: 2, players: [{ status: 'leader' }] }] },
  ]) {
    const repeated = await node.sessions.createSession(ACTOR, same);
    expect(repeated.session.incarnation).toBe(session.incarnation);
  }
  const { teams: _, ...withoutTeams } = { ...input, session_id: randomUUID() };
  await expect(node.sessions.createSession(ACTOR, withoutTeams)).rejects.toMatchObject({
    code: 'session_without_teams',
  });
});

test('a repeated creation returns the ended session for a day, and then makes a new one', async () => {
  const session_id = randomUUID();
  const [node] = nodes as [JoinNode, JoinNode];
  const input = {
    type: 'match',
    session_id,
    joinable: true,
    teams: [{ max_size: 2 }],
    platform_session: [],
  };
  const { session } = await node.sessions.createSession(ACTOR, input);
  await node.sessions.endSession(ACTOR, session);
  const repeated = await node.sessions.createSession(ACTOR, input);
  expect(repeated).toMatchObject({ endedAt: expect.any(Date) });
  expect(repeated.session.incarnation).toBe(session.incarnation);
  await node.database.pool.query(
    `UPDATE session SET ended_at = now() - interval '24 hours' WHERE session_id = $1`,
    [session_id],
  );
  const renewed = await node.sessions.createSession(ACTOR, input);
  expect(renewed.endedAt).toBeUndefined();
  expect(renewed.session.incarnation).not.toBe(session.incarnation);
});

test('a creation whose seats do not fit leaves nothing behind', async () => {
  const [node] = nodes as [JoinNode, JoinNode];
  const players = [randomUUID(), randomUUID()];
  const input = {
    type: 'match',
    session_id: randomUUID(),
    joinable: true,
    teams: [{ max_size: 1 }],
    platform_session: [],
    players: players.map((player_uuid) => ({
      player_uuid,
      team_id: 0,
      status: 'invited' as const,
    })),
  };
  await expect(node.sessions.createSession(ACTOR, input)).rejects.toMatchObject({
    code: 'session_full',
  });
  const name = { type: input.type, sessionId: input.session_id };
  expect(await node.sessions.findSession(name)).toBeNull();
  const where = { playerUuid: { in: players } };
  expect(await node.database.prisma.player.count({ where })).toBe(0);
});

test('creates one of two sessions that list the same platform sessions in opposite order', async () => {
  await onInsert('platform_session_route', 'PERFORM pg_sleep(0.1)');
  const shared = [platformSession(), platformSession()];
  const opposite = [{ platform_session: shared }, { platform_session: shared.toReversed() }];
  expect(await createAtOnce(opposite)).toEqual(['platform_session_taken']);
});

test('a creation that the database aborted for another one can be retried', async () => {
  await onInsert('session', `RAISE EXCEPTION USING ERRCODE = '40P01'`);
  expect(await createAtOnce([{}])).toEqual(['session_busy']);
});
