// A response that shows one session never shows a seat that has expired, also before the sweeper has found it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlayerService } from './player-service.ts';
import type { SessionName, SessionState } from './session.ts';
import { etagOf } from './session-resource.ts';
import { ACTOR, requestOf } from './testing/join-nodes.ts';
import type { SweptSessions } from './testing/swept-sessions.ts';
import { join, openSweptSessions } from './testing/swept-sessions.ts';

let opened: SweptSessions;
beforeAll(async () => {
  opened = await openSweptSessions();
});
afterAll(() => opened.close());

const TTL = 60;
const SERVICE = { accountId: 'service', permissions: ['session:*'] };

/** A session of four with a seated leader, a seated member who was marked absent, and a held seat, both expired. */
const expire = async () => {
  const { nodes, later, createType, createSession, disconnect } = opened;
  const lives = { absentTtlSeconds: TTL, reservationTtlSeconds: TTL, invitationTtlSeconds: TTL };
  const { name, idBase64 } = await createSession(await createType(lives));
  const [leader, absent, held] = [randomUUID(), randomUUID(), randomUUID()];
  await join(nodes[0], idBase64, leader);
  await join(nodes[0], idBase64, absent);
  await hold(name, held);
  await disconnect(name, absent);
  later(TTL);
  return { name, idBase64, leader, absent, held };
};

const hold = (name: SessionName, playerUuid: string) =>
  opened.nodes[0].sessions.invitePlayers(ACTOR, name, [
    {
      player_uuid: playerUuid,
      team_id: 0,
      status: 'reserved',
    },
  ]);

const playersOf = ({ seats }: SessionState): string[] => [...seats.keys()].sort();

const expiriesOf = async (name: SessionName) => {
  const events = await opened.nodes[0].sessions.listEvents(name, null, 50);
  return events
    .filter(({ kind }) => kind === 'seat_expired')
    .map(({ playerUuid, accountId }) => [playerUuid, accountId]);
};

describe('an expired seat', () => {
  test.each(['getSession', 'findSession'] as const)(
    'is removed before %s returns the session, with one new ETag',
    async (procedure) => {
      const { name, leader, absent, held } = await expire();
      const stored = await opened.read(name);
      const { sessions } = opened.nodes[1];
      const get = async () => {
        const found = await sessions[procedure](name);
        return found && 'session' in found ? found.session : (found as SessionState);
      };
      const shown = await get();
      expect(playersOf(shown)).toEqual([leader]);
      expect(shown.disconnects.size).toBe(0);
      expect(etagOf(shown)).not.toBe(etagOf(stored));
      expect(etagOf(await get())).toBe(etagOf(shown));
      expect(etagOf(await opened.read(name))).toBe(etagOf(shown));
      expect((await expiriesOf(name)).toSorted()).toEqual(
        [absent, held].map((player) => [player, 'muster']).toSorted(),
      );
    },
  );

  test('of a leader is removed before a read, which shows the successor', async () => {
    const { nodes, later, createType, createSession, disconnect } = opened;
    const { name, idBase64 } = await createSession(await createType({ absentTtlSeconds: TTL }));
    const [leader, member] = [randomUUID(), randomUUID()];
    await join(nodes[0], idBase64, leader);
    await join(nodes[0], idBase64, member);
    await disconnect(name, leader);
    later(TTL);
    const shown = await nodes[1].sessions.getSession(name);
    expect(playersOf(shown)).toEqual([member]);
    expect(shown.seats.get(member)?.status).toBe('leader');
  });

  test.each([
    ['a new player', () => randomUUID()],
    ['a seated player, who changes nothing', ({ leader }: { leader: string }) => leader],
  ])('is removed by an accepted join of %s', async (_, choose) => {
    const scene = await expire();
    const joining = choose(scene);
    const joined = await join(opened.nodes[1], scene.idBase64, joining);
    expect(playersOf(joined)).toEqual([...new Set([scene.leader, joining])].sort());
    expect(etagOf(await opened.read(scene.name))).toBe(etagOf(joined));
    expect(await expiriesOf(scene.name)).toHaveLength(2);
  });

  test('that another process has marked absent is removed by a join into a known session', async () => {
    const { nodes, later, createType, createSession } = opened;
    const { name, idBase64 } = await createSession(await createType({ absentTtlSeconds: TTL }));
    const [absent, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    await join(nodes[0], idBase64, absent);
    await join(nodes[0], idBase64, second);
    await nodes[1].sessions.setPresence(ACTOR, name, { playerUuid: absent, present: false });
    later(TTL);
    expect(playersOf(await join(nodes[0], idBase64, third))).toEqual([second, third].sort());
  });

  test('is not in the response to a change by a backend, which writes one audit record', async () => {
    const { name, leader } = await expire();
    const { sessions, database } = opened.nodes[0];
    const changed = await sessions.updateSession(ACTOR, name, { joinable: false });
    expect(playersOf(changed)).toEqual([leader]);
    const records = await database.prisma.auditRecord.findMany({
      where: {
        action: 'sessions.update',
        target: { path: ['session_id'], equals: name.sessionId },
      },
    });
    expect(records).toHaveLength(1);
  });

  test('is not in the response to a change without effect', async () => {
    const { name, leader } = await expire();
    const { sessions } = opened.nodes[0];
    const unchanged = await sessions.updateSession(ACTOR, name, { joinable: true });
    expect(playersOf(unchanged)).toEqual([leader]);
    expect(etagOf(await opened.read(name))).toBe(etagOf(unchanged));
  });

  test('of an absent player becomes a held one by an invitation', async () => {
    const { name, leader, absent } = await expire();
    const session = await hold(name, absent);
    expect(playersOf(session)).toEqual([leader, absent].sort());
    expect(session.seats.get(absent)?.status).toBe('reserved');
    expect((await opened.read(name)).disconnects.size).toBe(0);
  });

  test('frees its slot for an invitation', async () => {
    const { name, leader } = await expire();
    const others = [randomUUID(), randomUUID(), randomUUID()];
    let session: SessionState | undefined;
    for (const player of others) session = await hold(name, player);
    expect(playersOf(session!)).toEqual([leader, ...others].sort());
  });

  test('does not keep its player from being deleted', async () => {
    const { name, leader, absent, held } = await expire();
    const { players: store, sessions } = opened.nodes[1];
    const players = createPlayerService(store, sessions, { flush: async () => {} });
    await players.deletePlayer(ACTOR, held);
    expect(await store.findPlayer(held)).toBeUndefined();
    expect(playersOf(await opened.read(name))).toEqual([leader]);
    await players.deletePlayer(ACTOR, absent);
    await expect(players.deletePlayer(ACTOR, leader)).rejects.toMatchObject({
      code: 'player_seated',
    });
  });

  test.each(['held', 'absent'] as const)(
    'is not found by changes of it by a backend: %s',
    async (kind) => {
      const { name, [kind]: player } = await expire();
      const { sessions } = opened.nodes[1];
      const changes = [
        () => sessions.removePlayer(ACTOR, name, { playerUuid: player }),
        () => sessions.movePlayer(ACTOR, name, { playerUuid: player, teamId: 0 }),
        () => sessions.promotePlayer(ACTOR, name, player),
        () => sessions.setPresence(ACTOR, name, { playerUuid: player, present: false }),
      ];
      for (const change of changes) {
        await expect(change()).rejects.toMatchObject({ code: 'seat_not_found' });
      }
    },
  );

  test('stays after a refused join, which writes nothing', async () => {
    const { name, idBase64 } = await expire();
    const before = await opened.read(name);
    const refused = join(opened.nodes[1], idBase64, randomUUID(), { team_id: 7 });
    await expect(refused).rejects.toMatchObject({ code: 'team_not_found' });
    expect(await opened.read(name)).toEqual(before);
    expect(await expiriesOf(name)).toEqual([]);
  });
});

describe('a player who was absent for too long', () => {
  test('keeps the seat by joining again, and is not absent any more', async () => {
    const { name, idBase64, leader, absent } = await expire();
    const before = (await opened.read(name)).seats.get(absent);
    const joined = await join(opened.nodes[1], idBase64, absent);
    expect(joined.seats.get(absent)).toEqual(before);
    expect(playersOf(joined)).toEqual([leader, absent].sort());
    expect((await opened.read(name)).disconnects.size).toBe(0);
  });

  test('keeps the seat when others join at the same moment', async () => {
    const { name, idBase64, leader, absent } = await expire();
    const players = [leader, absent, randomUUID()];
    const joined = await Promise.all(
      players.map((player) => join(opened.nodes[0], idBase64, player)),
    );
    for (const session of joined.slice(1)) expect(session.seats.has(absent)).toBe(true);
    expect(playersOf(await opened.read(name))).toEqual(players.toSorted());
  });

  test('keeps the seat when a service invites the player by a join', async () => {
    const { name, idBase64, leader, absent } = await expire();
    const joined = await opened.nodes[1].joins.join(SERVICE, {
      platform: 'Steam',
      platformSessionIdBase64: idBase64,
      playerUuid: absent,
      request: requestOf({ status: 'invited' }),
    });
    expect(playersOf(joined)).toEqual([leader, absent].sort());
    expect((await opened.read(name)).disconnects.size).toBe(0);
  });
});
