// Sessions that backends fill: created with seats in one call, parties, exchanged teams, repeated calls.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from './testing/admin-client.ts';
import { createAdminClient, createSession } from './testing/admin-client.ts';

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

const codeOf = async (answer: ReturnType<AdminClient['mutate']>): Promise<string> =>
  (await answer).error.error_code;

const held = (player_uuid: string, team_id = 0, status = 'reserved') => ({
  player_uuid,
  team_id,
  status,
});
const playersOf = (data: unknown): string[] =>
  (data as { session: { teams: { players: { player_uuid: string }[] }[] } }).session.teams.flatMap(
    ({ players }) => players.map(({ player_uuid }) => player_uuid),
  );

test('a session is created with its instance, its platform sessions and its seats in one call', async () => {
  const players = [randomUUID(), randomUUID()];
  const input = {
    type: 'match',
    session_id: randomUUID(),
    teams: [{ max_size: 1 }, { max_size: 1 }],
    players: players.map((player, index) => ({ ...held(player, index), player_id: 810 + index })),
  };
  const created = await admin.mutate('sessions.create', input);
  expect(playersOf(created.data).sort()).toEqual(players.toSorted());
  const again = await admin.mutate('sessions.create', input);
  expect(again.data).toEqual(created.data);
  for (const [index, player_uuid] of players.entries()) {
    const found = await admin.query('players.get', { player_uuid });
    expect(found.data).toMatchObject({ player_id: 810 + index });
  }
  const name = { type: 'match', session_id: input.session_id };
  const { data } = await admin.query('sessions.events', name);
  const kinds = (data.events as { kind: string }[]).map(({ kind }) => kind);
  expect(kinds).toEqual(['session_full', 'player_invited', 'player_invited', 'session_created']);
});

test('a party gets its seats, or none of them', async () => {
  const { name } = await createSession(admin, { teams: [{ max_size: 2 }] });
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
  const invite = (...players: object[]) =>
    admin.mutate('sessions.invitePlayers', { ...name, players });
  expect(await codeOf(invite(held(first), held(second), held(third)))).toBe('session_full');
  expect(await codeOf(invite(held(first), held(first)))).toBe('input_invalid');
  expect(await codeOf(invite())).toBe('input_invalid');
  expect(playersOf((await admin.query('sessions.get', name)).data)).toEqual([]);
  const { data } = await invite(held(first), held(second));
  expect(playersOf(data).sort()).toEqual([first, second].sort());
  const names = await admin.query('players.list', { query: first });
  expect(names.data.players).toMatchObject([{ player_uuid: first }]);
});

test('two players exchange their full teams', async () => {
  const { name } = await createSession(admin, { teams: [{ max_size: 1 }, { max_size: 1 }] });
  const [first, second] = [randomUUID(), randomUUID()];
  const players = [held(first, 0), held(second, 1)];
  await admin.mutate('sessions.invitePlayers', { ...name, players });
  const swap = (...player_uuids: string[]) =>
    admin.mutate('sessions.swapPlayers', { ...name, player_uuids });
  expect(playersOf((await swap(first, second)).data)).toEqual([second, first]);
  expect(await codeOf(swap(first, first))).toBe('input_invalid');
  expect(await codeOf(swap(first, randomUUID()))).toBe('seat_not_found');
});

test('a renewed invitation is held from now on', async () => {
  const { name } = await createSession(admin);
  const player = randomUUID();
  const invite = async (change: object = {}) => {
    const input = { ...name, ...held(player, 0, 'invited'), ...change };
    const { data } = await admin.mutate('sessions.invitePlayer', input);
    return (data as { session: { teams: { players: { invited: string }[] }[] } }).session.teams[0]
      ?.players[0]?.invited;
  };
  const invited = await invite();
  expect(await invite()).toBe(invited);
  expect(Date.parse((await invite({ renew: true })) ?? '')).toBeGreaterThan(
    Date.parse(invited ?? ''),
  );
});

test('only an empty session ends with if_empty, and ending it again returns it', async () => {
  const { name } = await createSession(admin);
  const player = randomUUID();
  await admin.mutate('sessions.invitePlayer', { ...name, ...held(player) });
  const end = (change: object = {}) => admin.mutate('sessions.end', { ...name, ...change });
  expect(await codeOf(end({ if_empty: true }))).toBe('session_not_empty');
  await admin.mutate('sessions.removePlayer', { ...name, player_uuid: player });
  const ended = await end({ if_empty: true });
  expect((await end()).data).toEqual({ ...ended.data, ended: expect.any(String) });
  expect(await codeOf(admin.mutate('sessions.end', { ...name, session_id: 'never' }))).toBe(
    'session_not_found',
  );
});

test('many sessions are created in one call, each by itself', async () => {
  const sessionOf = (session_id: string, change: object = {}) => ({
    type: 'match',
    session_id,
    teams: [{ max_size: 2 }],
    ...change,
  });
  const ids = Array.from({ length: 20 }, () => randomUUID());
  const [first = ''] = ids;
  await admin.mutate('sessions.create', sessionOf(first, { region_id: 'eu' }));
  const create = (sessions: object[]) => admin.mutate('sessions.createMany', { sessions });
  const { data } = await create(ids.map((id) => sessionOf(id)));
  const results = data.results as { session?: { session_id: string }; error_code?: string }[];
  expect(results[0]).toMatchObject({ error_code: 'session_exists', desc: expect.any(String) });
  expect(results.slice(1).map(({ session }) => session?.session_id)).toEqual(ids.slice(1));
  expect((await create(ids.slice(1).map((id) => sessionOf(id)))).data.results).toEqual(
    results.slice(1),
  );
  expect(await codeOf(create([]))).toBe('input_invalid');
  const party = Array.from({ length: 1_000 }, () => ({ player_uuid: randomUUID(), team_id: 0 }));
  const withParties = [1, 2, 3].map(() => sessionOf(randomUUID(), { players: party }));
  expect(await codeOf(create(withParties))).toBe('input_invalid');
  const tooMany = Array.from({ length: 101 }, () => sessionOf(randomUUID()));
  expect(await codeOf(create(tooMany))).toBe('input_invalid');
});
