import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  expectProblem,
  expectRefusal,
  expectSession,
  findSeat,
  leadersOf,
  seatOf,
  seatsOf,
  statusOf,
  teamOf,
} from '../checks.ts';
import {
  ANY_PREFERENCES,
  join,
  newPlayer,
  newPlayers,
  raceToJoin,
  selfJoin,
  tryJoin,
  trySelfJoin,
} from '../fixtures/joins.ts';
import {
  changeSession,
  instanceInput,
  keyOf,
  newScene,
  newSession,
  readSession,
} from '../fixtures/sessions.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Joining: seats');

const DATA = {
  client_version: '1.2.3',
  client_settings: { platform: 'PSN', input: 'touch' },
  crossplay_preferences: ANY_PREFERENCES,
  custom_data: { skin: 'red' },
  team_id: 1,
};

export const joinSeatCases = [
  prove(
    'the player becomes a member of the parent session, and the whole session is answered',
    async (context) => {
      const session = await newSession(context, { region_id: 'eu', custom_data: { mode: 'ctf' } });
      const [first, second] = await newPlayers(context, 2);
      await join(context, session, first);
      const joined = await join(context, session, second);
      assert.equal(joined.type, session.type);
      assert.equal(joined.session_id, session.session_id);
      assert.equal(joined.region_id, 'eu');
      assert.deepEqual(joined.custom_data, { mode: 'ctf' });
      assert.deepEqual(
        joined.teams.map((team) => [team.team_id, team.max_size]),
        [
          [0, 4],
          [1, 4],
        ],
      );
      assert.equal(statusOf(joined, second), 'member');
      assert.ok(findSeat(joined, first), 'the seat of the other player is shown');
    },
  ),
  prove('status defaults to member', async (context) => {
    const session = await newSession(context);
    await join(context, session, await newPlayer(context));
    const player = await newPlayer(context);
    assert.equal(statusOf(await join(context, session, player), player), 'member');
  }),
  prove('the seat shows what the join stated, and when the player joined', async (context) => {
    const before = Date.now();
    const [session, player] = await newScene(context);
    const joined = await join(context, session, player, { body: DATA });
    const seat = seatOf(joined, player);
    assert.equal(teamOf(joined, player), 1);
    assert.equal(seat.version, '1.2.3');
    assert.equal(seat.client_settings?.platform, 'PSN');
    assert.equal(seat.client_settings?.input, 'touch');
    assert.deepEqual(seat.crossplay_preferences, DATA.crossplay_preferences);
    assert.deepEqual(seat.custom_data, { skin: 'red' });
    assert.equal(seat.invited, undefined);
    const skewMs = 60_000;
    const joinedAt = Date.parse(seat.joined ?? '');
    assert.ok(joinedAt > before - skewMs && joinedAt < Date.now() + skewMs, seat.joined);
  }),
  prove('what the join did not state is absent from the seat', async (context) => {
    const [session, player] = await newScene(context);
    const seat: Record<string, unknown> = seatOf(await join(context, session, player), player);
    const absent = ['custom_data', 'crossplay_preferences', 'inviting_player_uuid', 'player_id'];
    for (const field of [...absent, 'invited', 'source_session_id']) {
      assert.equal(field in seat, false, `${field} is present`);
    }
  }),
  prove(
    'a player holds at most one seat per session: another team moves the seat',
    async (context) => {
      const [session, player] = await newScene(context);
      const first = await join(context, session, player);
      const moved = await join(context, session, player, { body: { team_id: 1 } });
      assert.equal(teamOf(moved, player), 1);
      assert.equal(seatsOf(moved).length, 1);
      assert.equal(seatOf(moved, player).joined, seatOf(first, player).joined);
      assert.equal(statusOf(moved, player), 'leader', 'a team change does not demote');
    },
  ),
  prove('a player may have seats in several sessions', async (context) => {
    const player = await newPlayer(context);
    const [first, second] = [await newSession(context), await newSession(context)];
    await join(context, first, player);
    await join(context, second, player);
    assert.ok(findSeat((await readSession(context, first)).session, player));
  }),
  prove('a self-join takes a seat for the player whose UUID is the subject', async (context) => {
    const session = await newSession(context);
    const player = randomUUID();
    const joined = await selfJoin(context, session, player);
    assert.equal(statusOf(joined, player), 'leader');
  }),
  prove('a player who is acted for by another gets the seat, not the caller', async (context) => {
    const [session, player] = await newScene(context);
    const joined = await join(context, session, player);
    assert.deepEqual(
      seatsOf(joined).map((seat) => seat.player_uuid),
      [player],
    );
  }),
  prove('an unknown team_id is a 422 at body.team_id', async (context) => {
    const [session, player] = await newScene(context);
    for (const team_id of [2, -1, 99, Number.MAX_SAFE_INTEGER]) {
      const answer = await tryJoin(context, session, player, { body: { team_id } });
      expectProblem(answer, 'body.team_id');
    }
  }),
  prove('team_id may be any safe integer from 0 that the session has', async (context) => {
    const ids = [5, 0, Number.MAX_SAFE_INTEGER];
    const teams = ids.map((team_id) => ({ team_id, max_size: 1 }));
    const session = await newSession(context, { teams });
    for (const team_id of ids) {
      const player = await newPlayer(context);
      const joined = await join(context, session, player, { body: { team_id } });
      assert.equal(teamOf(joined, player), team_id);
    }
  }),
  prove('a session that is not joinable refuses a player without a seat', async (context) => {
    const [session, player] = await newScene(context, { joinable: false });
    expectRefusal(await tryJoin(context, session, player), 403, 'session_not_joinable');
    const { session: unchanged } = await readSession(context, session);
    assert.equal(unchanged.joinable, false);
    assert.equal(findSeat(unchanged, player), undefined);
  }),
  ...['invited', 'reserved'].map((status) =>
    prove(`a session that is not joinable takes a player who is ${status}`, async (context) => {
      const [session, player] = await newScene(context, { joinable: false });
      const held = { player_uuid: player, team_id: 0, status };
      await changeSession(context, session, 'invitePlayer', held);
      const joined = await join(context, session, player);
      assert.notEqual(statusOf(joined, player), status);
    }),
  ),
  prove(
    'a seated player may join again when the session is no longer joinable',
    async (context) => {
      const [session, player] = await newScene(context);
      await join(context, session, player);
      await changeSession(context, session, 'update', { joinable: false });
      const joined = await join(context, session, player, { body: { custom_data: { a: 'b' } } });
      assert.equal(joined.joinable, false);
      assert.deepEqual(seatOf(joined, player).custom_data, { a: 'b' });
    },
  ),
  prove('a refusal changes no session, no seat and no ETag', async (context) => {
    const session = await newSession(context, {
      teams: [{ max_size: 1 }, { max_size: 1 }],
      instance: instanceInput({ version: '1.2.3' }),
    });
    const [seated, refused] = await newPlayers(context, 2);
    await join(context, session, seated);
    const before = await readSession(context, session);
    await tryJoin(context, session, refused);
    await tryJoin(context, session, refused, { body: { team_id: 5 } });
    await tryJoin(context, session, refused, { body: { client_version: '9.9.9' } });
    const body = { client_version: '9.9.9', custom_data: { lost: 'yes' } };
    await tryJoin(context, session, seated, { body });
    assert.deepEqual(await readSession(context, session), before);
  }),
  prove('a refusal registers no player', async (context) => {
    const session = await newSession(context, { joinable: false });
    const open = await newSession(context);
    const player = randomUUID();
    expectRefusal(await trySelfJoin(context, session, player), 403, 'session_not_joinable');
    expectRefusal(await tryJoin(context, open, player), 404, 'player_not_found');
  }),
  prove('a player removed by an admin loses the seat and may join again', async (context) => {
    const [session, player] = await newScene(context);
    await join(context, session, player);
    const removed = await changeSession(context, session, 'removePlayer', { player_uuid: player });
    assert.equal(findSeat(removed.session, player), undefined);
    assert.ok(findSeat(await join(context, session, player), player));
  }),
  prove('a player removed for good may join again only after an invitation', async (context) => {
    const [session, player] = await newScene(context);
    await join(context, session, player);
    const removal = { player_uuid: player, prevent_rejoin: true };
    const removed = await changeSession(context, session, 'removePlayer', removal);
    assert.equal(findSeat(removed.session, player), undefined);
    expectRefusal(await trySelfJoin(context, session, player), 403, 'player_removed');
    expectRefusal(await tryJoin(context, session, player), 403, 'player_removed');
    const unknownTeam = { body: { team_id: 99 } };
    expectProblem(await tryJoin(context, session, player, unknownTeam), 'body.team_id');
    const other = await newPlayer(context);
    assert.ok(findSeat(await join(context, session, other), other));
    const invitation = { player_uuid: player, team_id: 0 };
    await changeSession(context, session, 'invitePlayer', invitation);
    assert.ok(findSeat(await join(context, session, player), player));
  }),
  prove('an ended session takes no more joins', async (context) => {
    const [session, player] = await newScene(context);
    await context.mutate('sessions.end', keyOf(session));
    const answer = await tryJoin(context, session, player);
    assert.ok([404, 409].includes(answer.status), `status ${answer.status}`);
    expectRefusal(answer, answer.status, 'platform_session_not_found', 'instance_closed');
  }),
  prove('the leader is one of the seats, and there is at most one', async (context) => {
    const session = await newSession(context);
    const players = await newPlayers(context, 5);
    const answers = await Promise.all(
      players.map((player, index) =>
        raceToJoin(context, session, player, { body: { status: 'leader', team_id: index % 2 } }),
      ),
    );
    for (const answer of answers) assert.equal(leadersOf(expectSession(answer)).length, 1);
    assert.equal(leadersOf((await readSession(context, session)).session).length, 1);
  }),
];
