import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { platformSessionIdOf, uuidOf } from './identities.ts';
import type { JoinPlan, RequestSet } from './join-requests.ts';
import { buildJoinRequests, buildRequestSet, requestAt, shuffle } from './join-requests.ts';

const plan: JoinPlan = {
  firstPlayer: 100,
  count: 6,
  firstSession: 40,
  sessions: 3,
  teams: 2,
  secret: 'a secret of at least thirty-two bytes',
  expiresAt: 2_000_000_000,
};

const readAll = (set: RequestSet) =>
  Array.from({ length: set.count }, (_, index) => requestAt(set, index).toString());

const parse = (request: string) => {
  const [head = '', body = ''] = request.split('\r\n\r\n');
  const [, token = ''] = /Bearer (\S+)/.exec(head) ?? [];
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return { head, token, claims, body: JSON.parse(body), length: Buffer.byteLength(body) };
};

test('every join has its own player, URL, token and body, and acts for itself', () => {
  const requests = readAll(buildJoinRequests(plan)).map(parse);
  for (const { head, claims, length } of requests) {
    expect(head).toContain(`/player/${claims.sub} HTTP/1.1`);
    expect(head).toContain(`Content-Length: ${length}`);
    expect(claims).toMatchObject({ permissions: ['session:update-player:self'] });
  }
  for (const part of ['head', 'token', 'body'] as const) {
    expect(new Set(requests.map((request) => JSON.stringify(request[part]))).size).toBe(6);
  }
});

const readSessions = (of: JoinPlan) =>
  readAll(buildJoinRequests(of)).map(
    (request) => /platform-session\/(\S+)\/player/.exec(request)?.[1],
  );

test('players go round the sessions and, lap by lap, round the teams', () => {
  const requests = readAll(buildJoinRequests(plan)).map(parse);
  const sessions = readSessions(plan);
  expect(sessions.slice(3)).toEqual(sessions.slice(0, 3));
  expect(new Set(sessions).size).toBe(3);
  expect(requests.map(({ body }) => body.team_id)).toEqual([0, 0, 0, 1, 1, 1]);
});

test('other players go round the same sessions in another order', () => {
  const [some, others] = [100, 200].map((firstPlayer) =>
    readSessions({ ...plan, firstPlayer, sessions: 20, count: 20 }),
  );
  expect(others).not.toEqual(some);
  expect(others?.sort()).toEqual(some?.sort());
});

test('a storm asks for one session after the other', () => {
  const sessions = readSessions({ ...plan, stormSize: 2 });
  const ids = [40, 41, 42].map((session) => encodeURIComponent(platformSessionIdOf(session)));
  expect(sessions).toEqual(ids.flatMap((id) => [id, id]));
});

test('tokens are signed with the secret', () => {
  const [{ token } = { token: '' }] = readAll(buildJoinRequests(plan)).map(parse);
  const [header, payload, signature] = token.split('.');
  const expected = createHmac('sha256', plan.secret)
    .update(`${header}.${payload}`)
    .digest('base64url');
  expect(signature).toBe(expected);
});

test('a set larger than its first buffer keeps every request, and indexes past the end begin again', () => {
  const set = buildRequestSet(3_000, (index) => `${index}:`.padEnd(1_000, 'x'));
  expect(requestAt(set, 2_999).toString()).toBe('2999:'.padEnd(1_000, 'x'));
  expect(requestAt(set, 3_001)).toEqual(requestAt(set, 1));
});

test('ids are well-formed UUIDs of version 4, the same in every run', () => {
  expect(uuidOf('player:1')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(uuidOf('player:1')).toBe(uuidOf('player:1'));
  expect(uuidOf('player:1')).not.toBe(uuidOf('player:2'));
});

test('every number comes once, in an order that is the same for the same seed', () => {
  const order = shuffle(1_000, 7);
  expect([...order].sort((left, right) => left - right)).toEqual([...Array(1_000).keys()]);
  expect(shuffle(1_000, 7)).toEqual(order);
  expect(shuffle(1_000, 8)).not.toEqual(order);
});

test('a first part is spread over all, whatever the seed', () => {
  for (const seed of [0, 1, 20_000, 40_000, 1_000_000_000]) {
    const part = shuffle(20_000, seed).slice(0, 4_000);
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const inTenth = part.filter((number) => Math.floor(number / 2_000) === tenth).length;
      expect(Math.abs(inTenth - 400)).toBeLessThan(100);
    }
  }
});

test('none and one have no order', () => {
  expect([shuffle(0, 5), shuffle(1, 5)]).toEqual([[], [0]]);
});
