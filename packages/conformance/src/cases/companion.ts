import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PlayerSessions } from '@muster/contract';
import {
  expectOk,
  expectProblem,
  expectRefusal,
  expectSession,
  expectUnauthenticated,
  leadersOf,
  seatOf,
  seatsOf,
} from '../checks.ts';
import {
  join,
  newPlayer,
  newPlayers,
  playerToken,
  raceToJoin,
  tryJoin,
} from '../fixtures/joins.ts';
import type { SessionFixture } from '../fixtures/sessions.ts';
import { changeSession, instanceInput, newSession, readSession } from '../fixtures/sessions.ts';
import type { Case, Context } from '../target/context.ts';
import { bearer, inSection } from '../target/context.ts';
import type { Answer } from '../target/send-request.ts';
import { SkippedCase } from '../target/send-request.ts';

const proveAny = inSection('Companion endpoints');

type SessionName = Pick<SessionFixture, 'type' | 'session_id'>;

const sessionPath = ({ type, session_id }: SessionName): string =>
  `/session/v1/session/${encodeURIComponent(type)}/${encodeURIComponent(session_id)}`;

const seatPath = (name: SessionName, player: string): string =>
  `${sessionPath(name)}/player/${player}`;

const listPath = (player: string): string => `/session/v1/player/${player}/session`;

const read = (context: Context, name: SessionName, token: string, headers = {}): Promise<Answer> =>
  context.get(sessionPath(name), { ...bearer(token), ...headers });

const list = (context: Context, player: string, token: string): Promise<Answer> =>
  context.get(listPath(player), bearer(token));

const leave = (
  context: Context,
  name: SessionName,
  player: string,
  token: string,
): Promise<Answer> =>
  context.send({ method: 'DELETE', path: seatPath(name, player), headers: bearer(token) });

const expectEmpty = (answer: Answer, status: number): void => {
  assert.equal(answer.status, status);
  assert.equal(answer.text, '');
};

const unknownName = (): SessionName => ({ type: 'unknown', session_id: randomUUID() });

/** Skips the case when the service was started with COMPANION_ENDPOINTS=off. */
const prove = (title: string, run: Case['run']): Case =>
  proveAny(title, async (context) => {
    const isOn = await context.target.once('companion endpoints', async () => {
      const { body } = await context.get(listPath(randomUUID()));
      return (body as { error_code?: string } | undefined)?.error_code !== 'route_not_found';
    });
    if (!isOn) throw new SkippedCase('needs a service with COMPANION_ENDPOINTS=on');
    await run(context);
  });

const CONNECTION = {
  join_params: { public_conn_str: 'public-address', private_conn_str: 'private-address' },
  instance_startup_params: { map: 'harbour', misc_params: 'startup-secret' },
  custom_data: { address: 'instance-address' },
};
const HIDDEN = ['public-address', 'private-address', 'startup-secret', 'instance-address', 'mine'];

/** A leader with custom data and a member, in a session whose instance can be connected to. */
const newCompanions = async (context: Context): Promise<[SessionFixture, string, string]> => {
  const session = await newSession(context, { instance: instanceInput(CONNECTION) });
  const [leader, member] = await newPlayers(context, 2);
  await join(context, session, leader, { body: { custom_data: { hat: 'mine' } } });
  await join(context, session, member);
  return [session, leader, member];
};

const hold = (context: Context, session: SessionFixture, player: string, status: string) =>
  changeSession(context, session, 'invitePlayer', { player_uuid: player, team_id: 0, status });

const ENDPOINTS = [
  ['the read of a session', 'GET', sessionPath(unknownName())],
  ['the list of sessions', 'GET', listPath(randomUUID())],
  ['the way out of a session', 'DELETE', seatPath(unknownName(), randomUUID())],
] as const;

const everyEndpoint = ENDPOINTS.flatMap(([name, method, path]) => [
  prove(`${name} needs a credential`, async (context) => {
    expectUnauthenticated(await context.send({ method, path, headers: {} }), 'auth_missing');
    const headers = bearer('a.b.c');
    expectUnauthenticated(await context.send({ method, path, headers }));
  }),
  prove(`${name} is refused without a permission`, async (context) => {
    const headers = bearer(await context.mint({ sub: randomUUID(), permissions: ['player:view'] }));
    expectRefusal(await context.send({ method, path, headers }), 403, 'insufficient_permissions');
  }),
  prove(`${name} answers other methods with 405 and Allow`, async (context) => {
    const answer = await context.send({ method: 'PUT', path, headers: bearer(context.token) });
    expectRefusal(answer, 405, 'method_not_allowed');
    assert.equal(answer.headers.allow, method === 'GET' ? 'GET, HEAD' : method);
  }),
]);

export const companionCases = [
  ...everyEndpoint,
  prove('a seated player reads the session as the join returned it', async (context) => {
    const [session, , member] = await newCompanions(context);
    const joined = await tryJoin(context, session, member);
    const answer = await read(context, session, await playerToken(context, member));
    assert.deepEqual(expectSession(answer), expectSession(joined));
    assert.equal(answer.headers.etag, joined.headers.etag);
  }),
  prove('a caller with session:view reads any session', async (context) => {
    const [session] = await newCompanions(context);
    const token = await context.mint({ sub: 'reader', permissions: ['session:view'] });
    const stored = await readSession(context, session);
    const answer = await read(context, session, token);
    assert.deepEqual(expectSession(answer), stored.session);
    assert.equal(answer.headers.etag, stored.etag);
  }),
  ...['invited', 'reserved'].map((status) =>
    prove(
      `a player who is ${status} sees no connection data and no data of others`,
      async (context) => {
        const [session] = await newCompanions(context);
        const player = randomUUID();
        await hold(context, session, player, status);
        const full = await read(context, session, context.token);
        const answer = await read(context, session, await playerToken(context, player));
        const shown = expectSession(answer);
        assert.equal(seatOf(shown, player).status, status);
        assert.equal(seatsOf(shown).length, 3);
        for (const hidden of HIDDEN) {
          assert.ok(full.text.includes(hidden));
          assert.equal(answer.text.includes(hidden), false, hidden);
        }
      },
    ),
  ),
  prove('a session of others is the same 404 as an unknown one', async (context) => {
    const [session, , removed] = await newCompanions(context);
    await changeSession(context, session, 'removePlayer', { player_uuid: removed });
    for (const player of [randomUUID(), removed]) {
      const token = await playerToken(context, player);
      const unknown = await read(context, unknownName(), token);
      expectRefusal(unknown, 404, 'session_not_found');
      const answer = await read(context, session, token);
      assert.deepEqual([answer.status, answer.text], [unknown.status, unknown.text]);
      assert.deepEqual(Object.keys(answer.headers).sort(), Object.keys(unknown.headers).sort());
    }
  }),
  prove('an ended session is 404 for everyone', async (context) => {
    const [session, leader] = await newCompanions(context);
    await changeSession(context, session, 'end');
    for (const token of [context.token, await playerToken(context, leader)]) {
      expectRefusal(await read(context, session, token), 404, 'session_not_found');
      const left = await leave(context, session, leader, token);
      expectRefusal(left, 404, 'session_not_found');
    }
  }),
  prove('If-None-Match is 304 until the session changes', async (context) => {
    const [session, , member] = await newCompanions(context);
    const token = await playerToken(context, member);
    const first = await read(context, session, token);
    const etag = first.headers.etag ?? '';
    const condition = { 'if-none-match': `"other", ${etag}` };
    const same = await read(context, session, token, condition);
    expectEmpty(same, 304);
    assert.equal(same.headers.etag, etag);
    await join(context, session, await newPlayer(context));
    const changed = await read(context, session, token, condition);
    expectSession(changed);
    assert.notEqual(changed.headers.etag, etag);
  }),
  prove('with `wait`, a known session is returned when it changes, or 304', async (context) => {
    const [session, , member] = await newCompanions(context);
    const token = await playerToken(context, member);
    const etag = (await read(context, session, token)).headers.etag ?? '';
    const path = `${sessionPath(session)}?wait=1`;
    const headers = { ...bearer(token), 'if-none-match': etag };
    expectEmpty(await context.send({ method: 'GET', path, headers }), 304);
    const waiting = context.send({
      method: 'GET',
      path: `${sessionPath(session)}?wait=20`,
      headers,
    });
    await join(context, session, await newPlayer(context));
    const changed = await waiting;
    expectSession(changed);
    assert.notEqual(changed.headers.etag, etag);
  }),
  prove('`wait` is 1 to 55 seconds', async (context) => {
    const [session] = await newCompanions(context);
    const headers = bearer(context.token);
    for (const wait of ['0', '56', 'soon']) {
      const path = `${sessionPath(session)}?wait=${wait}`;
      const { status } = await context.send({ method: 'GET', path, headers });
      assert.equal(status, 422);
    }
  }),
  prove('HEAD has the headers of the read and no body', async (context) => {
    const [session] = await newCompanions(context);
    const headers = bearer(context.token);
    const answer = await context.send({ method: 'HEAD', path: sessionPath(session), headers });
    expectEmpty(answer, 200);
    assert.equal(answer.headers.etag, (await readSession(context, session)).etag);
  }),
  prove('a player lists seats and invitations, newest first', async (context) => {
    const [session, leader] = await newCompanions(context);
    const second = await newSession(context);
    await hold(context, second, leader, 'invited');
    const ended = await newSession(context);
    await join(context, ended, leader);
    await changeSession(context, ended, 'end');
    const token = await playerToken(context, leader);
    const body = expectOk(await list(context, leader, token));
    const expected = [
      [second, 'invited'],
      [session, 'leader'],
    ] as const;
    assert.deepEqual(body, {
      sessions: expected.map(([{ type, session_id, platform, platformSessionId }, status]) => ({
        type,
        session_id,
        status,
        team_id: 0,
        platform_session: [
          {
            platform,
            platform_session_type: 'lobby',
            platform_session_id_base64: platformSessionId,
          },
        ],
      })),
    });
    const service = await context.mint({ sub: 'reader', permissions: ['session:view'] });
    assert.deepEqual(expectOk(await list(context, leader, service)), body);
  }),
  prove('a player lists no sessions of another player', async (context) => {
    const token = await playerToken(context, randomUUID());
    expectRefusal(await list(context, randomUUID(), token), 403, 'insufficient_permissions');
    const none = randomUUID();
    const own = await list(context, none, await playerToken(context, none));
    assert.deepEqual(PlayerSessions.parse(expectOk(own)).sessions, []);
  }),
  prove('a player who leaves gives up the seat, and may leave again', async (context) => {
    const [session, leader, member] = await newCompanions(context);
    const token = await playerToken(context, member);
    expectEmpty(await leave(context, session, member, token), 204);
    const after = await readSession(context, session);
    assert.deepEqual(
      seatsOf(after.session).map((seat) => seat.player_uuid),
      [leader],
    );
    expectEmpty(await leave(context, session, member, token), 204);
    assert.equal((await readSession(context, session)).etag, after.etag);
    expectRefusal(await read(context, session, token), 404, 'session_not_found');
    await join(context, session, member);
  }),
  prove('the member who joined first follows a leader who leaves', async (context) => {
    const [session, leader, member] = await newCompanions(context);
    const token = await playerToken(context, leader);
    expectEmpty(await leave(context, session, leader, token), 204);
    assert.deepEqual(leadersOf((await readSession(context, session)).session), [member]);
  }),
  prove('a player declines an invitation, on a closed instance too', async (context) => {
    const [session] = await newCompanions(context);
    const player = await newPlayer(context);
    await hold(context, session, player, 'invited');
    await changeSession(context, session, 'setInstanceStatus', { join_status: 'closed' });
    const token = await playerToken(context, player);
    expectEmpty(await leave(context, session, player, token), 204);
    assert.equal(seatsOf((await readSession(context, session)).session).length, 2);
  }),
  prove('leaving for others needs the permission to join for them', async (context) => {
    const [session, leader, member] = await newCompanions(context);
    const reader = await context.mint({ sub: 'reader', permissions: ['session:view'] });
    for (const token of [reader, await playerToken(context, leader)]) {
      const answer = await leave(context, session, member, token);
      expectRefusal(answer, 403, 'insufficient_permissions');
    }
    const permissions = ['session:update-player:any'];
    const service = await context.mint({ sub: 'backend', permissions });
    expectEmpty(await leave(context, session, member, service), 204);
  }),
  prove('an unknown session is 404 to a player who leaves', async (context) => {
    const player = randomUUID();
    const answer = await leave(context, unknownName(), player, await playerToken(context, player));
    expectRefusal(answer, 404, 'session_not_found');
  }),
  prove('names out of bounds are 422 at their place', async (context) => {
    const long = { type: 'x'.repeat(129), session_id: 'a' };
    const type = 'value_error.any_str.max_length';
    expectProblem(await read(context, long, context.token), 'path.type', type);
    expectProblem(await list(context, 'me', context.token), 'path.player_uuid');
    expectProblem(await leave(context, unknownName(), 'me', context.token), 'path.player_uuid');
  }),
  prove('players who leave and join at once leave exact seats', async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 40 }] });
    const [leaving, joining] = [await newPlayers(context, 20), await newPlayers(context, 20)];
    for (const player of leaving) expectSession(await raceToJoin(context, session, player));
    const [left] = await Promise.all([
      Promise.all(leaving.map((player) => leave(context, session, player, context.token))),
      Promise.all(joining.map((player) => raceToJoin(context, session, player))),
    ]);
    for (const answer of left) expectEmpty(answer, 204);
    const { session: after } = await readSession(context, session);
    assert.deepEqual(
      seatsOf(after)
        .map((seat) => seat.player_uuid)
        .sort(),
      joining.toSorted(),
    );
    assert.equal(leadersOf(after).length, 1);
  }),
];
