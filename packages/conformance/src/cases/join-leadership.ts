import assert from 'node:assert/strict';
import { leadersOf, seatsOf, statusOf } from '../checks.ts';
import { join, newPlayer, newPlayers, selfJoin } from '../fixtures/joins.ts';
import type { SessionFixture } from '../fixtures/sessions.ts';
import { changeSession, newScene, newSession, readSession } from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Joining: leadership');

/** A session with its leader, and a player without a seat. */
const newLedSession = async (context: Context): Promise<[SessionFixture, string, string]> => {
  const session = await newSession(context);
  const [leader, player] = await newPlayers(context, 2);
  await join(context, session, leader);
  return [session, leader, player];
};

/** A session and its members in the order in which they joined it: the first leads. */
const newSuccession = async (
  context: Context,
): Promise<[SessionFixture, string, string, string, string]> => {
  const session = await newSession(context);
  const players = await newPlayers(context, 4);
  for (const player of players) {
    await join(context, session, player);
    await laterMillisecond();
  }
  return [session, ...players];
};

export const joinLeadershipCases = [
  ...['leader', 'member'].map((status) =>
    prove(
      `the joiner becomes leader when the session has none, asking for ${status}`,
      async (context) => {
        const [session, player] = await newScene(context);
        const joined = await join(context, session, player, { body: { status } });
        assert.equal(statusOf(joined, player), 'leader');
      },
    ),
  ),
  prove('a self-join that asks for leader where there is one becomes member', async (context) => {
    const [session, leader, player] = await newLedSession(context);
    const joined = await selfJoin(context, session, player, { body: { status: 'leader' } });
    assert.equal(statusOf(joined, player), 'member');
    assert.equal(statusOf(joined, leader), 'leader');
  }),
  prove('a seated member who asks for leader in a self-join stays member', async (context) => {
    const [session, leader, player] = await newLedSession(context);
    await selfJoin(context, session, player);
    const joined = await selfJoin(context, session, player, { body: { status: 'leader' } });
    assert.equal(statusOf(joined, player), 'member');
    assert.equal(statusOf(joined, leader), 'leader');
  }),
  prove('a self-join is one by the player, whatever the permission', async (context) => {
    const [session, leader, player] = await newLedSession(context);
    const token = await context.mint({ sub: player, permissions: ['session:*'] });
    const joined = await join(context, session, player, { token, body: { status: 'leader' } });
    assert.equal(statusOf(joined, player), 'member');
    assert.equal(statusOf(joined, leader), 'leader');
  }),
  prove(
    'a caller acting for any player who asks for leader takes over; the old leader becomes member',
    async (context) => {
      const [session, leader, player] = await newLedSession(context);
      const joined = await join(context, session, player, { body: { status: 'leader' } });
      assert.equal(statusOf(joined, player), 'leader');
      assert.equal(statusOf(joined, leader), 'member');
    },
  ),
  prove('a take-over promotes a member who is seated already', async (context) => {
    const [session, _leader, player] = await newLedSession(context);
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
      const [session, _leader, player] = await newLedSession(context);
      await join(context, session, player);
      const joined = await join(context, session, player, { body: { status } });
      assert.equal(statusOf(joined, player), 'member');
    }),
  ),
  prove('when the leader goes, the member with the earliest joined follows', async (context) => {
    const [session, leader, heir, next] = await newSuccession(context);
    const after = await changeSession(context, session, 'removePlayer', { player_uuid: leader });
    assert.deepEqual(leadersOf(after.session), [heir]);
    const later = await changeSession(context, session, 'removePlayer', { player_uuid: heir });
    assert.deepEqual(leadersOf(later.session), [next]);
  }),
  prove('joining again does not lose the place in the succession', async (context) => {
    const [session, leader, heir] = await newSuccession(context);
    await join(context, session, heir, { body: { custom_data: { again: 'yes' } } });
    const after = await changeSession(context, session, 'removePlayer', { player_uuid: leader });
    assert.deepEqual(leadersOf(after.session), [heir]);
  }),
  prove('a held seat never leads, even when the leader goes', async (context) => {
    const [session, leader, held] = await newLedSession(context);
    await join(context, session, held, { body: { status: 'reserved' } });
    const after = await changeSession(context, session, 'removePlayer', { player_uuid: leader });
    assert.deepEqual(leadersOf(after.session), []);
    assert.equal(statusOf(after.session, held), 'reserved');
    const joined = await join(context, session, held);
    assert.equal(statusOf(joined, held), 'leader');
  }),
  prove('when a member goes, the leader stays', async (context) => {
    const [session, leader, member] = await newLedSession(context);
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
