import assert from 'node:assert/strict';
import { leadersOf, seatsOf, statusOf } from '../checks.ts';
import { join, newPlayer, newPlayers, selfJoin } from '../fixtures/joins.ts';
import { changeSession, newSession, readSession } from '../fixtures/sessions.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Joining: leadership');

export const joinLeadershipCases = [
  ...['leader', 'member'].map((status) =>
    prove(
      `the joiner becomes leader when the session has none, asking for ${status}`,
      async (context) => {
        const session = await newSession(context);
        const player = await newPlayer(context);
        const joined = await join(context, session, player, { body: { status } });
        assert.equal(statusOf(joined, player), 'leader');
      },
    ),
  ),
  prove('a self-join that asks for leader where there is one becomes member', async (context) => {
    const session = await newSession(context);
    const [leader, player] = await newPlayers(context, 2);
    assert.ok(leader && player);
    await join(context, session, leader);
    const joined = await selfJoin(context, session, player, { body: { status: 'leader' } });
    assert.equal(statusOf(joined, player), 'member');
    assert.equal(statusOf(joined, leader), 'leader');
  }),
  prove('a seated member who asks for leader in a self-join stays member', async (context) => {
    const session = await newSession(context);
    const [leader, player] = await newPlayers(context, 2);
    assert.ok(leader && player);
    await join(context, session, leader);
    await selfJoin(context, session, player);
    const joined = await selfJoin(context, session, player, { body: { status: 'leader' } });
    assert.equal(statusOf(joined, player), 'member');
    assert.equal(statusOf(joined, leader), 'leader');
  }),
  prove('a self-join is one by the player, whatever the permission', async (context) => {
    const session = await newSession(context);
    const [leader, player] = await newPlayers(context, 2);
    assert.ok(leader && player);
    await join(context, session, leader);
    const token = await context.mint({ sub: player, permissions: ['session:*'] });
    const joined = await join(context, session, player, { token, body: { status: 'leader' } });
    assert.equal(statusOf(joined, player), 'member');
    assert.equal(statusOf(joined, leader), 'leader');
  }),
  prove(
    'a caller acting for any player who asks for leader takes over; the old leader becomes member',
    async (context) => {
      const session = await newSession(context);
      const [leader, player] = await newPlayers(context, 2);
      assert.ok(leader && player);
      await join(context, session, leader);
      const joined = await join(context, session, player, { body: { status: 'leader' } });
      assert.equal(statusOf(joined, player), 'leader');
      assert.equal(statusOf(joined, leader), 'member');
    },
  ),
  prove('a take-over promotes a member who is seated already', async (context) => {
    const session = await newSession(context);
    const [leader, player] = await newPlayers(context, 2);
    assert.ok(leader && player);
    await join(context, session, leader);
    await join(context, session, player);
    const joined = await join(context, session, player, { body: { status: 'leader' } });
    assert.deepEqual(leadersOf(joined), [player]);
    assert.equal(seatsOf(joined).length, 2);
  }),
  ...['member', 'invited', 'reserved'].map((status) =>
    prove(`a leader who is asked to be ${status} stays leader`, async (context) => {
      const session = await newSession(context);
      const leader = await newPlayer(context);
      await join(context, session, leader);
      const joined = await join(context, session, leader, { body: { status } });
      assert.equal(statusOf(joined, leader), 'leader');
    }),
  ),
  ...['invited', 'reserved'].map((status) =>
    prove(`a member who is asked to be ${status} stays seated`, async (context) => {
      const session = await newSession(context);
      const [leader, player] = await newPlayers(context, 2);
      assert.ok(leader && player);
      await join(context, session, leader);
      await join(context, session, player);
      const joined = await join(context, session, player, { body: { status } });
      assert.equal(statusOf(joined, player), 'member');
    }),
  ),
  prove('when the leader goes, the member with the earliest joined follows', async (context) => {
    const session = await newSession(context);
    const players = await newPlayers(context, 4);
    for (const player of players) {
      await join(context, session, player);
      await laterMillisecond();
    }
    const [leader, heir] = players;
    assert.ok(leader && heir);
    const after = await changeSession(context, session, 'removePlayer', { player_uuid: leader });
    assert.deepEqual(leadersOf(after.session), [heir]);
    const next = await changeSession(context, session, 'removePlayer', { player_uuid: heir });
    assert.deepEqual(leadersOf(next.session), [players[2]]);
  }),
  prove('joining again does not lose the place in the succession', async (context) => {
    const session = await newSession(context);
    const players = await newPlayers(context, 3);
    for (const player of players) {
      await join(context, session, player);
      await laterMillisecond();
    }
    const [leader, heir] = players;
    assert.ok(leader && heir);
    await join(context, session, heir, { body: { custom_data: { again: 'yes' } } });
    const after = await changeSession(context, session, 'removePlayer', { player_uuid: leader });
    assert.deepEqual(leadersOf(after.session), [heir]);
  }),
  prove('a held seat never leads, even when the leader goes', async (context) => {
    const session = await newSession(context);
    const [leader, held] = await newPlayers(context, 2);
    assert.ok(leader && held);
    await join(context, session, leader);
    await join(context, session, held, { body: { status: 'reserved' } });
    const after = await changeSession(context, session, 'removePlayer', { player_uuid: leader });
    assert.deepEqual(leadersOf(after.session), []);
    assert.equal(statusOf(after.session, held), 'reserved');
    const joined = await join(context, session, held);
    assert.equal(statusOf(joined, held), 'leader');
  }),
  prove('when a member goes, the leader stays', async (context) => {
    const session = await newSession(context);
    const [leader, member] = await newPlayers(context, 2);
    assert.ok(leader && member);
    await join(context, session, leader);
    await join(context, session, member);
    await changeSession(context, session, 'removePlayer', { player_uuid: member });
    assert.deepEqual(leadersOf((await readSession(context, session)).session), [leader]);
  }),
];

/** Two joins in one millisecond have the same `joined`, and then the UUID decides. */
const laterMillisecond = async (): Promise<void> => {
  const now = Date.now();
  while (Date.now() <= now + 1) await new Promise((resolve) => setImmediate(resolve));
};
