import { randomUUID } from 'node:crypto';
import { JoinRequest } from '@muster/contract';
import { isDatabaseTimeout, openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createCircuitBreaker } from '../flow/index.ts';
import { createRefusalRecorder } from './refusal-store.ts';
import type { SessionState } from './session.ts';
import { sessionKeyOf } from './session.ts';
import { etagOf, toSessionResource } from './session-resource.ts';
import type { JoinNode } from './testing/join-nodes.ts';
import { startNode } from './testing/join-nodes.ts';

/** Three of these on one database represent three processes: they have no memory in common. */
let nodes: [JoinNode, JoinNode, JoinNode];
let drop: () => Promise<void>;

beforeAll(async () => {
  const test = await createTestDatabase();
  drop = test.drop;
  nodes = [startNode(test.url), startNode(test.url), startNode(test.url)];
});

afterAll(async () => {
  await Promise.all(nodes.map(({ database }) => database.close()));
  await drop();
});

const ACTOR = { accountId: 'backend' };

const createSession = async (sizes: number[]) => {
  const idBase64 = randomUUID();
  const { session } = await nodes[0].sessions.createSession(ACTOR, {
    type: 'race',
    joinable: true,
    teams: sizes.map((max_size) => ({ max_size })),
    platform_session: [
      {
        platform: 'Steam',
        platform_session_type: 'lobby',
        platform_session_id_base64: idBase64,
      },
    ],
  });
  return { idBase64, name: { type: session.type, sessionId: session.sessionId } };
};

const request = (change: object = {}) =>
  JoinRequest.parse({
    client_version: '1.0.0',
    client_settings: { platform: 'Steam', input: 'gamepad' },
    team_id: 0,
    ...change,
  });

const join = (
  node: JoinNode,
  platformSessionIdBase64: string,
  playerUuid: string = randomUUID(),
  change: object = {},
): Promise<SessionState> =>
  node.joins.join(
    { accountId: playerUuid, permissions: ['session:update-player:self'] },
    { platform: 'Steam', platformSessionIdBase64, playerUuid, request: request(change) },
  );

const outcomes = async (attempts: Promise<SessionState>[]): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(attempts)) {
    const outcome = result.status === 'fulfilled' ? 'joined' : result.reason.code;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};

const nodeOf = (index: number): JoinNode => nodes[index % 3] as JoinNode;

test('gives the last seat of a team to exactly one of 200 players on three processes', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { idBase64, name } = await createSession([1, 100]);
    const attempts = Array.from({ length: 200 }, (_, index) => join(nodeOf(index), idBase64));
    expect(await outcomes(attempts)).toEqual({ joined: 1, team_full: 199 });
    expect((await nodes[1].sessions.getSession(name)).seats.size).toBe(1);
  }
});

test('seats 100 players who race for 100 seats, each once', async () => {
  const { idBase64, name } = await createSession([100]);
  const attempts = Array.from({ length: 100 }, (_, index) => join(nodeOf(index), idBase64));
  expect(await outcomes(attempts)).toEqual({ joined: 100 });
  const session = await nodes[2].sessions.getSession(name);
  expect(session.seats.size).toBe(100);
  expect([...session.seats.values()].filter(({ status }) => status === 'leader')).toHaveLength(1);
});

test('100 joins of one player race: one seat, and every answer is a success', async () => {
  const { idBase64, name } = await createSession([4]);
  const player = randomUUID();
  const attempts = Array.from({ length: 100 }, (_, index) => join(nodeOf(index), idBase64, player));
  expect(await outcomes(attempts)).toEqual({ joined: 100 });
  const session = await nodes[0].sessions.getSession(name);
  expect(session.seats.size).toBe(1);
  expect(session.version).toBe(2);
});

test('returns the same bytes as a later read with the same ETag', async () => {
  const { idBase64, name } = await createSession([4]);
  const change = {
    custom_data: { zeta: '1', a: '2', 10: '3' },
    crossplay_preferences: {
      permitted_input: 'desired_inputs_any',
      permitted_platform: 'desired_platforms_any',
    },
  };
  const answered = await join(nodes[0], idBase64, randomUUID(), change);
  const read = await nodes[1].sessions.getSession(name);
  expect(JSON.stringify(toSessionResource(answered))).toBe(JSON.stringify(toSessionResource(read)));
  expect(etagOf(answered)).toBe(etagOf(read));
});

test('a refused join adds no player and no seat, and keeps the ETag', async () => {
  const { idBase64, name } = await createSession([1]);
  const player = randomUUID();
  await join(nodes[0], idBase64);
  const before = etagOf(await nodes[0].sessions.getSession(name));
  await expect(join(nodes[1], idBase64, player)).rejects.toMatchObject({ code: 'session_full' });
  expect(etagOf(await nodes[0].sessions.getSession(name))).toBe(before);
  const known = await nodes[0].players.findPlayer(player);
  expect(known).toBeUndefined();
  expect(nodes[1].refused.at(-1)).toBe('session_full');
});

test('the first accepted self-join registers the player, for whom other accounts may then act', async () => {
  const { idBase64 } = await createSession([4]);
  const player = randomUUID();
  const act = () =>
    nodes[1].joins.join(
      { accountId: 'matchmaker', permissions: ['session:update-player:any'] },
      {
        platform: 'Steam',
        platformSessionIdBase64: idBase64,
        playerUuid: player,
        playerId: 7,
        request: request(),
      },
    );
  await expect(act()).rejects.toMatchObject({ code: 'player_not_found' });
  await join(nodes[0], idBase64, player);
  const session = await act();
  expect(session.seats.get(player)?.playerId).toBe(7);
  const other = randomUUID();
  await nodes[2].sessions.invitePlayers(
    ACTOR,
    { type: session.type, sessionId: session.sessionId },
    [{ player_uuid: other, team_id: 0, status: 'reserved' }],
  );
  await expect(
    nodes[1].joins.join(
      { accountId: 'matchmaker', permissions: ['session:*'] },
      {
        platform: 'Steam',
        platformSessionIdBase64: idBase64,
        playerUuid: other,
        playerId: 7,
        request: request(),
      },
    ),
  ).rejects.toMatchObject({ code: 'player_not_found' });
});

test('a join for another player during an outage is refused at once and leaves no look-up behind', async () => {
  // No server listens on this port.
  const url = 'postgres://muster@127.0.0.1:1/muster';
  const { ping, close } = openDatabase({ url });
  const breaker = createCircuitBreaker({
    ping,
    isTimeout: isDatabaseTimeout,
    onChange: () => {},
  });
  const node = startNode(url, { breaker });
  onTestFinished(async () => {
    breaker.stop();
    await Promise.all([close(), node.database.close()]);
  });
  breaker.noteFailure();
  await expect.poll(() => breaker.isOpen()).toBe(true);
  const refused = node.joins.join(
    { accountId: 'matchmaker', permissions: ['session:update-player:any'] },
    {
      platform: 'Steam',
      platformSessionIdBase64: randomUUID(),
      playerUuid: randomUUID(),
      request: request(),
    },
  );
  await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(node.counts.lookUps).toBe(0);
});

test('one bad join of a batch fails alone', async () => {
  const { idBase64, name } = await createSession([10]);
  const versions = ['1.0.0', '1.0.1', '1.0.2\u0000', '1.0.3'];
  const attempts = versions.map((client_version) => {
    const playerUuid = randomUUID();
    return nodes[0].joins.join(
      { accountId: playerUuid, permissions: ['*'] },
      {
        platform: 'Steam',
        platformSessionIdBase64: idBase64,
        playerUuid,
        request: { ...request(), client_version },
      },
    );
  });
  const settled = await Promise.allSettled(attempts);
  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect((await nodes[1].sessions.getSession(name)).seats.size).toBe(3);
});

test('refused joins are in the timeline of the session; those beyond the limit are dropped and counted', async () => {
  const { name } = await createSession([1]);
  const counts = { recorded: 0, dropped: 0 };
  const recorder = createRefusalRecorder(nodes[0].database, {
    countRecorded: (refusals) => (counts.recorded += refusals),
    countDropped: (refusals) => (counts.dropped += refusals),
    onFailure: (error) => expect.fail(String(error)),
  });
  const refusal = {
    sessionKey: sessionKeyOf(name),
    playerUuid: randomUUID(),
    accountId: 'x',
    errorCode: 'team_full',
    desc: 'Full.',
    teamId: 0,
    at: new Date(),
  };
  for (let index = 0; index < 1500; index += 1) recorder.record(refusal);
  await recorder.flush();
  expect(counts.recorded + counts.dropped).toBe(1500);
  expect(counts.dropped).toBeGreaterThan(0);
  const events = await nodes[1].sessions.listEvents(name, null, 2);
  expect(events[0]).toMatchObject({
    kind: 'join_refused',
    detail: { error_code: 'team_full', desc: 'Full.', team_id: 0 },
  });
});
