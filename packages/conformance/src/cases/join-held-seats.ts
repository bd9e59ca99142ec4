import assert from 'node:assert/strict';
import { expectRefusal, findSeat, seatOf, seatsOf, statusOf, teamOf } from '../checks.ts';
import { join, newPlayers, tryJoin, trySelfJoin } from '../fixtures/joins.ts';
import { changeSession, newScene, newSession, readSession } from '../fixtures/sessions.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Joining: held seats');

const HELD = ['invited', 'reserved'] as const;

const everyHeldStatus = HELD.flatMap((status) => [
  prove(`a self-join that asks for ${status} is 403 insufficient_permissions`, async (context) => {
    const [session, player] = await newScene(context);
    const answer = await trySelfJoin(context, session, player, { body: { status } });
    expectRefusal(answer, 403, 'insufficient_permissions');
    assert.equal(findSeat((await readSession(context, session)).session, player), undefined);
  }),
  prove(`a self-join that asks for ${status} is refused even with session:*`, async (context) => {
    const [session, player] = await newScene(context);
    const token = await context.mint({ sub: player, permissions: ['session:*'] });
    const answer = await tryJoin(context, session, player, { token, body: { status } });
    expectRefusal(answer, 403, 'insufficient_permissions');
  }),
  prove(`a join as ${status} holds a seat that carries invited, not joined`, async (context) => {
    const [session, player] = await newScene(context);
    const seat = seatOf(await join(context, session, player, { body: { status } }), player);
    assert.equal(seat.status, status);
    assert.match(seat.invited ?? '', /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.equal(seat.joined, undefined);
  }),
  prove(
    `joining converts ${status} into a seat and keeps what the invite said`,
    async (context) => {
      const session = await newSession(context);
      const [leader, player] = await newPlayers(context, 2);
      await join(context, session, leader);
      const invite = {
        player_uuid: player,
        team_id: 1,
        status,
        inviting_player_uuid: leader,
        source_session_id: 'lobby-1',
      };
      const held = await changeSession(context, session, 'invitePlayer', invite);
      const before = seatOf(held.session, player);
      const joined = await join(context, session, player, { body: { team_id: 1 } });
      const after = seatOf(joined, player);
      assert.equal(after.status, 'member');
      assert.equal(after.inviting_player_uuid, leader);
      assert.equal(after.source_session_id, 'lobby-1');
      assert.equal(after.invited, before.invited);
      assert.ok(after.joined);
      assert.equal(seatsOf(joined).length, 2);
    },
  ),
  prove(`a seat held as ${status} counts against max_size`, async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 1 }, { max_size: 1 }] });
    const [held, player] = await newPlayers(context, 2);
    await join(context, session, held, { body: { status } });
    expectRefusal(await tryJoin(context, session, player), 409, 'team_full');
  }),
  prove(`the player whose seat is held as ${status} finds room in a full team`, async (context) => {
    const [session, player] = await newScene(context, { teams: [{ max_size: 1 }] });
    await join(context, session, player, { body: { status } });
    const joined = await join(context, session, player);
    assert.equal(statusOf(joined, player), 'leader', 'the session had no leader');
  }),
  prove(`holding a seat as ${status} in a full team is 409`, async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 1 }] });
    const [seated, player] = await newPlayers(context, 2);
    await join(context, session, seated);
    const answer = await tryJoin(context, session, player, { body: { status } });
    expectRefusal(answer, 409, 'session_full');
  }),
  prove(`a seat held as ${status} does not make the session's first leader`, async (context) => {
    const session = await newSession(context);
    const [held, player] = await newPlayers(context, 2);
    await join(context, session, held, { body: { status } });
    const joined = await join(context, session, player);
    assert.equal(statusOf(joined, player), 'leader');
    assert.equal(statusOf(joined, held), status);
  }),
]);

export const joinHeldSeatCases = [
  ...everyHeldStatus,
  prove('a player whose seat is held may take a seat in another team', async (context) => {
    const [session, player] = await newScene(context);
    await join(context, session, player, { body: { status: 'invited', team_id: 0 } });
    const joined = await join(context, session, player, { body: { team_id: 1 } });
    assert.equal(teamOf(joined, player), 1);
    assert.equal(seatsOf(joined).length, 1);
  }),
  prove('an invited player converts by a self-join', async (context) => {
    const [session, player] = await newScene(context, { joinable: false });
    await changeSession(context, session, 'invitePlayer', {
      player_uuid: player,
      team_id: 0,
      status: 'invited',
    });
    const answer = await trySelfJoin(context, session, player);
    assert.equal(answer.status, 200, answer.text);
  }),
  prove('holding the same seat again writes nothing', async (context) => {
    const [session, player] = await newScene(context);
    const body = { status: 'reserved' };
    const first = await tryJoin(context, session, player, { body });
    const second = await tryJoin(context, session, player, { body });
    assert.equal(second.headers.etag, first.headers.etag);
    assert.equal(second.text, first.text);
  }),
];
