import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionName } from '../../test/companion-client.ts';
import { asPlayer, createCompanionClient } from '../../test/companion-client.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from '../admin/testing/admin-client.ts';
import { createAdminClient, createSession, join } from '../admin/testing/admin-client.ts';
import { MAX_PER_PLAYER } from './event-limits.ts';

let service: TestService;
let admin: AdminClient;
let client: ReturnType<typeof createCompanionClient>;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
  client = createCompanionClient(service);
});
afterAll(() => service.close());

type Seat = { player_uuid: string; status: string };

const read = async (name: SessionName) => {
  const { data } = await admin.query('sessions.get', name);
  const { teams } = data.session as { teams: { players: Seat[] }[] };
  return { etag: data.etag as string, seats: teams.flatMap(({ players }) => players) };
};

const listEvents = async (name: SessionName) => {
  const { data } = await admin.query('sessions.events', { ...name, page_size: 100 });
  type Event = { kind: string; player_uuid?: string; account_id: string; detail?: object };
  return data.events as Event[];
};

/** A session of ten with this number of seated players; the first one leads. */
const createScene = async (count: number, input: object = {}) => {
  const { name, platformSessionId } = await createSession(admin, {
    teams: [{ max_size: 10 }],
    ...input,
  });
  const players = Array.from({ length: count }, () => randomUUID()) as [string, string, string];
  for (const player of players) await join(service, platformSessionId, player);
  return { name, platformSessionId, players };
};

const SERVICE = { sub: 'backend', permissions: ['session:update-player:any'] };

describe('a player who leaves', () => {
  test('gives up the seat, and the timeline records it', async () => {
    const { name, players } = await createScene(2);
    const [, member] = players;
    const answer = await client.leave(name, member);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const { seats } = await read(name);
    expect(seats.map((seat) => seat.player_uuid)).toEqual([players[0]]);
    const [event] = await listEvents(name);
    expect(event).toMatchObject({
      kind: 'player_left',
      player_uuid: member,
      account_id: member,
      detail: { team_id: 0, status: 'member' },
    });
    expect((await client.read(name, asPlayer(member))).status).toBe(404);
    expect((await client.list(member)).body).toEqual({ sessions: [] });
  });

  test('is followed as leader by the member who joined first', async () => {
    const { name, players } = await createScene(3);
    const [leader, second, third] = players;
    await client.leave(name, leader);
    const { seats } = await read(name);
    expect(seats.map(({ player_uuid, status }) => [player_uuid, status])).toEqual([
      [second, 'leader'],
      [third, 'member'],
    ]);
    const kinds = (await listEvents(name)).slice(0, 2).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['leader_changed', 'player_left']);
  });

  test('may leave again, and changes nothing then', async () => {
    const { name, players } = await createScene(2);
    const [, member] = players;
    await client.leave(name, member);
    const before = await read(name);
    const events = await listEvents(name);
    for (const player of [member, randomUUID()]) {
      expect((await client.leave(name, player)).status).toBe(204);
    }
    expect(await read(name)).toEqual(before);
    expect(await listEvents(name)).toEqual(events);
  });

  test('may join again', async () => {
    const { name, platformSessionId, players } = await createScene(2);
    await client.leave(name, players[1]);
    expect((await join(service, platformSessionId, players[1])).status).toBe(200);
    expect((await read(name)).seats).toHaveLength(2);
  });

  test.each(['invited', 'reserved'])('declines: the %s seat is free', async (status) => {
    const { name } = await createScene(1);
    const player = randomUUID();
    await admin.mutate('sessions.invitePlayer', {
      ...name,
      player_uuid: player,
      team_id: 0,
      status,
    });
    expect((await client.leave(name, player)).status).toBe(204);
    expect((await read(name)).seats).toHaveLength(1);
  });

  test('leaves a closed instance as well', async () => {
    const instance = { instance_id: 'i', host_type: 'dedicated', join_status: 'joinable' };
    const { name, players } = await createScene(2, { instance });
    await admin.mutate('sessions.setInstanceStatus', { ...name, join_status: 'closed' });
    expect((await client.leave(name, players[1])).status).toBe(204);
    expect((await read(name)).seats).toHaveLength(1);
  });

  test('can be a leader marked absent', async () => {
    const { name, players } = await createScene(2);
    const [leader, second] = players;
    await admin.mutate('sessions.setPresence', { ...name, player_uuid: leader, present: false });
    expect((await client.leave(name, leader)).status).toBe(204);
    expect((await read(name)).seats).toMatchObject([{ player_uuid: second, status: 'leader' }]);
  });

  test('cannot fill the timeline by leaving and joining again', async () => {
    const { name, platformSessionId, players } = await createScene(1);
    const [player] = players;
    for (let times = 0; times < MAX_PER_PLAYER + 3; times += 1) {
      await client.leave(name, player);
      await join(service, platformSessionId, player);
    }
    const events = await listEvents(name);
    for (const kind of ['player_left', 'player_joined']) {
      const ofKind = events.filter((event) => event.kind === kind);
      expect(ofKind).toHaveLength(MAX_PER_PLAYER);
      expect(ofKind[0]?.detail).toMatchObject({ last_of_hour: true });
    }
  });
});

describe('a service', () => {
  test.each([['session:update-player:any'], ['session:*']])(
    'with %s leaves for a player, by its own account',
    async (permission) => {
      const { name, players } = await createScene(2);
      const caller = { sub: 'backend', permissions: [permission] };
      expect((await client.leave(name, players[0], caller)).status).toBe(204);
      expect((await read(name)).seats).toMatchObject([{ player_uuid: players[1] }]);
      const event = (await listEvents(name)).find(({ kind }) => kind === 'player_left');
      expect(event).toMatchObject({ player_uuid: players[0], account_id: 'backend' });
    },
  );
});

describe('a session that does not exist', () => {
  test('is 404, and so is one that has ended', async () => {
    const { name, players } = await createScene(1);
    await admin.mutate('sessions.end', name);
    for (const gone of [name, { type: 'duel', session_id: randomUUID() }]) {
      for (const caller of [SERVICE, asPlayer(players[0])]) {
        const { status, body } = await client.leave(gone, players[0], caller);
        expect([status, body.error_code]).toEqual([404, 'session_not_found']);
      }
    }
  });
});

/** Sends again what the service asks to send again, as clients do. */
const untilAccepted = async <Answer extends { status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const answer = await send();
    if (![409, 429, 503].includes(answer.status)) return answer;
    await delay(500 + Math.random() * 500);
  }
  throw new Error('The service kept asking for a retry.');
};

test('200 players who leave and join one session at once leave exact seats', async () => {
  const { name, platformSessionId } = await createSession(admin, {
    teams: [{ max_size: 100 }, { max_size: 100 }],
  });
  const [leaving, joining] = [0, 1].map(() => Array.from({ length: 100 }, () => randomUUID())) as [
    string[],
    string[],
  ];
  const joinTeam = (player: string, team_id: number) =>
    untilAccepted(() => join(service, platformSessionId, player, { team_id }));
  await Promise.all(leaving.map((player) => joinTeam(player, 0)));
  expect((await read(name)).seats).toHaveLength(100);

  const [left, joined] = await Promise.all([
    Promise.all(leaving.map((player) => untilAccepted(() => client.leave(name, player)))),
    Promise.all(joining.map((player) => joinTeam(player, 1))),
  ]);
  expect(new Set(left.map(({ status }) => status))).toEqual(new Set([204]));
  expect(new Set(joined.map(({ status }) => status))).toEqual(new Set([200]));
  const { seats } = await read(name);
  expect(seats.map(({ player_uuid }) => player_uuid).toSorted()).toEqual(joining.toSorted());
  expect(seats.filter(({ status }) => status === 'leader')).toHaveLength(1);
}, 60_000);
