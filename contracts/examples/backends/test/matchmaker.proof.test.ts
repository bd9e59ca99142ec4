// The matchmaker with 200 clients: three counts of the same seats, by the clients, by the matchmaker and by the service.
import { randomUUID } from 'node:crypto';
import type { AdminClient, Session } from '@muster/admin-client';
import { createAdminClient } from '@muster/admin-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../../../packages/client/test/start/start-service.ts';
import { signToken, startService } from '../../../../packages/client/test/start/start-service.ts';
import type { Match } from '../typescript/matchmaker.ts';
import { Matchmaker } from '../typescript/matchmaker.ts';
import type { GameClient } from './game-clients.ts';
import { connectPlayer } from './game-clients.ts';

const CLIENTS = 200;
const MATCHES = 33;
const PLAYERS_PER_MATCH = 6;
const CRASHES = 8;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

/** `calls` has the procedures that the backend has called, in order. */
const connectBackend = (): { muster: AdminClient; calls: string[] } => {
  const calls: string[] = [];
  const muster = createAdminClient({
    baseUrl: service.baseUrl,
    token: () => signToken('matchmaker', ['session:*']),
    fetch: (url, init) => {
      calls.push(url.slice(url.lastIndexOf('/') + 1));
      return fetch(url, init);
    },
  });
  return { muster, calls };
};

/** Each server has an address of its own. */
const createFleet = () => {
  let servers = 0;
  return async () => {
    servers += 1;
    const address = `203.0.113.7:${7_000 + servers}`;
    return {
      instance: {
        instance_id: `server-${servers}`,
        host_type: 'dedicated' as const,
        version: '1.4.0',
        join_params: { public_conn_str: address, private_conn_str: `${address}?password=secret` },
      },
      ready: Promise.resolve(),
    };
  };
};

const createGame = async () => {
  const type = `match-${randomUUID()}`;
  const { muster, calls } = connectBackend();
  await muster.call('sessionTypes.upsert', { type, reservation_ttl_seconds: 600 });
  calls.length = 0;
  const matchmaker = new Matchmaker({ muster, type, allocateServer: createFleet() });
  return { type, muster, calls, matchmaker };
};

const makeClients = (count: number): GameClient[] =>
  Array.from({ length: count }, () => connectPlayer(service.baseUrl, randomUUID()));

const idsOf = (clients: readonly GameClient[]): string[] =>
  clients.map(({ player_uuid }) => player_uuid);

const seatOf = (session: Session, player: string) =>
  session.teams
    .flatMap(({ team_id, players }) => players.map((seat) => ({ team_id, ...seat })))
    .find(({ player_uuid }) => player_uuid === player);

/** The first match that takes the party. */
const findRoom = async (
  matches: readonly Match[],
  takesParty: (match: Match) => Promise<boolean>,
): Promise<Match> => {
  for (const match of matches) if (await takesParty(match)) return match;
  throw new Error('A party found no match with free seats.');
};

test('plays a match of six with five service calls', async () => {
  const { matchmaker, calls } = await createGame();
  const clients = makeClients(PLAYERS_PER_MATCH);
  const match = await matchmaker.openMatch(idsOf(clients));
  await Promise.all(
    clients.map(({ player_uuid, join }) =>
      join(match.platform_session_id_base64, match.seats.get(player_uuid)?.team_id ?? 0),
    ),
  );
  expect(await matchmaker.waitForPlayers(match)).toBe(true);
  await matchmaker.endMatch(match);
  expect(calls).toEqual([
    'sessions.create',
    'sessions.setInstance',
    'sessions.setInstanceStatus',
    'sessions.watch',
    'sessions.end',
  ]);
});

test('agrees with the service about every seat after crashes, leaves, backfill and returns', async () => {
  const { type, muster, matchmaker } = await createGame();
  const clients = makeClients(CLIENTS);
  const byId = new Map(clients.map((client) => [client.player_uuid, client]));
  /** The count of the clients: who sits in which session and team, by the responses to joins and leaves. */
  const ledger = new Map<string, string>();
  const addresses = new Map<string, string | undefined>();

  const join = async (match: Match, player: string): Promise<void> => {
    const team = match.seats.get(player)?.team_id;
    const session = await byId.get(player)?.join(match.platform_session_id_base64, team ?? -1);
    ledger.set(player, `${session?.session_id} ${session && seatOf(session, player)?.team_id}`);
    addresses.set(player, session?.instance?.join_params?.private_conn_str);
  };
  const joinAll = (match: Match) =>
    Promise.all([...match.seats.keys()].map((player) => join(match, player)));

  // 33 matches open, while 198 of the clients join and the matchmaker waits for them.
  const groups = Array.from({ length: MATCHES }, (_, index) =>
    idsOf(clients.slice(index * PLAYERS_PER_MATCH, (index + 1) * PLAYERS_PER_MATCH)),
  );
  const queue = [idsOf(clients.slice(MATCHES * PLAYERS_PER_MATCH))];
  const matches = await Promise.all(
    groups.map(async (players) => {
      const match = await matchmaker.openMatch(players);
      const [isReady] = await Promise.all([matchmaker.waitForPlayers(match), joinAll(match)]);
      expect(isReady).toBe(true);
      return match;
    }),
  );
  expect(ledger.size).toBe(MATCHES * PLAYERS_PER_MATCH);

  // Eight servers crash. Their players join again: the seat is the same one, the address is new.
  const replace = async (match: Match): Promise<void> => {
    const players = [...match.seats.keys()];
    const before = players.map((player) => [ledger.get(player), addresses.get(player)]);
    await matchmaker.replaceServer(match);
    await joinAll(match);
    for (const [index, player] of players.entries()) {
      const [seat, address] = before[index] ?? [];
      expect(ledger.get(player)).toBe(seat);
      expect(addresses.get(player)).not.toBe(address);
    }
  };
  // Three players leave each of ten other matches: two by the companion endpoint, one is removed.
  const leave = async (match: Match): Promise<string[]> => {
    const leavers = [...match.seats.keys()].slice(0, 3);
    for (const player of leavers.slice(0, 2)) await byId.get(player)?.leave(match.name);
    await matchmaker.removePlayer(match, leavers[2] ?? '');
    for (const player of leavers) ledger.delete(player);
    return leavers;
  };
  const crashed = matches.slice(0, CRASHES);
  const left = matches.slice(CRASHES, CRASHES + 10);
  const [returning] = await Promise.all([
    Promise.all(left.map(leave)),
    Promise.all(crashed.map(replace)),
  ]);

  // The feed names the matches with free seats.
  const countSeats = () => matches.reduce((sum, { seats }) => sum + seats.size, 0);
  while (countSeats() > ledger.size) await matchmaker.readFeed(20);

  // The two players who waited, and most players who left, queue as parties and get the free seats.
  queue.push(...returning.slice(0, 8));
  for (const party of queue) {
    const match = await findRoom(matches, (each) => matchmaker.backfill(each, party));
    await Promise.all(party.map((player) => join(match, player)));
    expect(await matchmaker.waitForPlayers(match)).toBe(true);
  }

  // Of 30 free seats, 26 are taken again.
  const expected = [...ledger].toSorted();
  expect(expected).toHaveLength(MATCHES * PLAYERS_PER_MATCH - 30 + 26);
  const ofMatchmaker = matches.flatMap(({ name, seats }) =>
    [...seats].map(([player, { team_id }]) => [player, `${name.session_id} ${team_id}`]),
  );
  expect(ofMatchmaker.toSorted()).toEqual(expected);
  const ofService: string[][] = [];
  for await (const { sessions } of muster.pages('sessions.list', { type })) {
    for (const { session, seats } of sessions) {
      const players = session.teams.flatMap(({ team_id, players }) =>
        players.map(({ player_uuid }) => [player_uuid, `${session.session_id} ${team_id}`]),
      );
      expect(players).toHaveLength(seats);
      ofService.push(...players);
    }
  }
  expect(ofService.toSorted()).toEqual(expected);

  await Promise.all(matches.map((match) => matchmaker.endMatch(match)));
  expect(await muster.call('sessions.count', { type })).toMatchObject({ count: 0 });
});
