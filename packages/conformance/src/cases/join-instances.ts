import assert from 'node:assert/strict';
import { expectAdminRefusal, expectRefusal, expectSession, seatOf, teamOf } from '../checks.ts';
import { join, newPlayer, tryJoin, trySelfJoin } from '../fixtures/joins.ts';
import type { SessionFixture } from '../fixtures/sessions.ts';
import {
  changeSession,
  instanceInput,
  keyOf,
  newScene,
  newSession,
  readSession,
} from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Instances');

const STATES = ['requested', 'allocated', 'pending', 'joinable', 'unjoinable', 'closed'] as const;
type State = (typeof STATES)[number];

/** The allowed moves: steps forward may be skipped, and `closed` is final. */
const MOVES: Record<State, readonly State[]> = {
  requested: ['allocated', 'pending', 'joinable', 'unjoinable', 'closed'],
  allocated: ['pending', 'joinable', 'unjoinable', 'closed'],
  pending: ['joinable', 'unjoinable', 'closed'],
  joinable: ['unjoinable', 'pending', 'closed'],
  unjoinable: ['joinable', 'closed'],
  closed: [],
};

const sessionIn = (context: Context, join_status: State): Promise<SessionFixture> =>
  newSession(context, { instance: instanceInput({ join_status }) });

const setStatus = (session: SessionFixture, join_status: string, fields = {}) => ({
  ...keyOf(session),
  instance: { ...session.session.instance, ...fields, join_status },
});

/** What each state answers to a player without a seat. */
const REFUSAL: Partial<Record<State, string>> = {
  unjoinable: 'instance_unjoinable',
  closed: 'instance_closed',
};

const everyState = STATES.flatMap((state) => [
  prove(
    `a new player while the instance is ${state}: ${REFUSAL[state] ?? 'takes a seat'}`,
    async (context) => {
      const session = await sessionIn(context, state);
      const answer = await tryJoin(context, session, await newPlayer(context));
      const code = REFUSAL[state];
      if (code) expectRefusal(answer, 409, code);
      else assert.equal(expectSession(answer).instance?.join_status, state);
    },
  ),
  prove(`a seated player joins again while the instance is ${state}`, async (context) => {
    const [session, player] = await newScene(context);
    await join(context, session, player);
    await changeSession(context, session, 'setInstance', {
      instance: instanceInput({ join_status: state }),
    });
    const joined = await join(context, session, player, { body: { custom_data: { a: 'b' } } });
    assert.deepEqual(seatOf(joined, player).custom_data, { a: 'b' });
  }),
  prove(
    `an instance that is ${state} may become ${MOVES[state].join(', ') || 'nothing else'}`,
    async (context) => {
      for (const next of STATES) {
        if (next === state) continue;
        const session = await sessionIn(context, state);
        const change = setStatus(session, next);
        const isMove = MOVES[state].includes(next);
        if (isMove) await context.mutate('sessions.setInstance', change);
        else await expectAdminRefusal(context, 'sessions.setInstance', change);
        const { instance } = (await readSession(context, session)).session;
        assert.equal(instance?.join_status, isMove ? next : state, `${state} → ${next}`);
      }
    },
  ),
]);

/** Callers that join again with another team: the player, or a backend that may act for any player. */
const CALLERS = { 'a player': trySelfJoin, 'a backend': tryJoin } as const;

const everyTeamChange = Object.entries(CALLERS).flatMap(([caller, tryJoinAs]) => [
  prove(
    `${caller} cannot change the team of a seated player once the instance is closed`,
    async (context) => {
      const [session, player] = await newScene(context);
      await join(context, session, player);
      const { etag } = await changeSession(context, session, 'setInstance', {
        instance: instanceInput({ join_status: 'closed' }),
      });
      const answer = await tryJoinAs(context, session, player, { body: { team_id: 1 } });
      expectRefusal(answer, 409, 'instance_closed');
      const now = await readSession(context, session);
      assert.equal(now.etag, etag);
      assert.equal(teamOf(now.session, player), 0);
    },
  ),
  prove(
    `${caller} may change the team of a seated player while the instance is unjoinable`,
    async (context) => {
      const [session, player] = await newScene(context);
      await join(context, session, player);
      await changeSession(context, session, 'setInstance', {
        instance: instanceInput({ join_status: 'unjoinable' }),
      });
      const answer = await tryJoinAs(context, session, player, { body: { team_id: 1 } });
      assert.equal(teamOf(expectSession(answer), player), 1);
    },
  ),
]);

export const joinInstanceCases = [
  ...everyState,
  ...everyTeamChange,
  prove('a session without an instance takes players', async (context) => {
    const session = await newSession(context);
    const joined = await join(context, session, await newPlayer(context));
    assert.equal('instance' in joined, false);
  }),
  prove('any other join_status, host_type or instance_health is refused', async (context) => {
    const session = await newSession(context);
    for (const wrong of [
      { join_status: 'open' },
      { host_type: 'cloud' },
      { instance_health: 'sick' },
    ]) {
      const change = { ...keyOf(session), instance: instanceInput(wrong) };
      await expectAdminRefusal(context, 'sessions.setInstance', change);
    }
  }),
  ...['dedicated', 'player', 'preallocated'].map((host_type) =>
    prove(`host_type may be ${host_type}`, async (context) => {
      const session = await newSession(context, { instance: instanceInput({ host_type }) });
      const joined = await join(context, session, await newPlayer(context));
      assert.equal(joined.instance?.host_type, host_type);
    }),
  ),
  prove('instance_health moves freely', async (context) => {
    const session = await newSession(context, { instance: instanceInput() });
    const path = ['healthy', 'unknown', 'degraded', 'unhealthy', 'healthy', 'unhealthy', 'unknown'];
    for (const instance_health of path) {
      const change = setStatus(session, 'joinable', { instance_health });
      await context.mutate('sessions.setInstance', change);
      const { instance } = (await readSession(context, session)).session;
      assert.equal(instance?.instance_health, instance_health);
    }
  }),
  prove('a host may be replaced only by a new instance', async (context) => {
    const session = await newSession(context, {
      instance: instanceInput({ host_dedicated_server_id: 'server-1' }),
    });
    const change = setStatus(session, 'joinable', { host_type: 'player' });
    await expectAdminRefusal(context, 'sessions.setInstance', change);
    await changeSession(context, session, 'setInstance', {
      instance: instanceInput({ host_type: 'player' }),
    });
    assert.equal((await readSession(context, session)).session.instance?.host_type, 'player');
  }),
  prove('a new instance in the session makes a join succeed that was closed', async (context) => {
    const session = await sessionIn(context, 'closed');
    const player = await newPlayer(context);
    expectRefusal(await tryJoin(context, session, player), 409, 'instance_closed');
    await changeSession(context, session, 'setInstance', { instance: instanceInput() });
    await join(context, session, player);
  }),
];
