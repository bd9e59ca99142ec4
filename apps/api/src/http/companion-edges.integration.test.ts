// The HTTP behaviour that all public endpoints share, for the companion endpoints.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CompanionAnswer } from '../../test/companion-client.ts';
import {
  asPlayer,
  asReader,
  createCompanionClient,
  listPath,
  seatPath,
  sessionPath,
} from '../../test/companion-client.ts';
import { PLAYER, problemsOf } from '../../test/public-client.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import { createAdminClient, createSession, join } from '../admin/testing/admin-client.ts';

const GAME = 'https://play.example';
const NAME = { type: 'duel', session_id: 'd-1' };

let service: TestService;
let client: ReturnType<typeof createCompanionClient>;
beforeAll(async () => {
  service = await startTestService({
    env: { CORS_ORIGINS: GAME },
    limits: { playerRateLimit: { perSecond: 0.01, burst: 8 } },
  });
  client = createCompanionClient(service);
});
afterAll(() => service.close());

const ENDPOINTS = [
  ['GET', sessionPath(NAME), 'GET, HEAD'],
  ['GET', listPath(PLAYER), 'GET, HEAD'],
  ['DELETE', seatPath(NAME, PLAYER), 'DELETE'],
] as const;

describe.each(ENDPOINTS)('%s %s', (method, path, allowed) => {
  test('refuses other methods with 405 and Allow, before the credential', async () => {
    const others = ['POST', 'PUT', 'PATCH', 'OPTIONS', method === 'GET' ? 'DELETE' : 'GET'];
    for (const other of others) {
      const answer = await client.ask(path, null, { method: other });
      expect([other, answer.status, answer.body.error_code, answer.headers.get('allow')]).toEqual([
        other,
        405,
        'method_not_allowed',
        allowed,
      ]);
    }
  });

  test('answers the preflight of a listed origin and of no other', async () => {
    const preflight = (origin: string) =>
      client.ask(path, null, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': method },
      });
    const { status, headers } = await preflight(GAME);
    expect([status, headers.get('access-control-allow-methods')]).toEqual([204, allowed]);
    expect(headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, traceparent, tracestate, X-Request-Id, If-None-Match',
    );
    const other = await preflight('https://evil.example');
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([405, null]);
  });

  test('lets a page read a refusal', async () => {
    const { status, headers } = await client.ask(path, null, { method, headers: { origin: GAME } });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([403, GAME]);
    expect(headers.get('access-control-expose-headers')).toBe('ETag, Retry-After, X-Request-Id');
  });

  test('returns the request id of the client', async () => {
    const headers = { 'x-request-id': 'mine-1' };
    const answer = await client.ask(path, asReader, { method, headers });
    expect(answer.headers.get('x-request-id')).toBe('mine-1');
  });

  test('refuses bytes that are no UTF-8 in the path', async () => {
    const last = path.split('/').at(-1) ?? '';
    const faulty = path.replace(last === 'session' ? PLAYER : last, '%FF');
    const answer = await client.ask(faulty, asReader, { method });
    const [[place, type] = []] = problemsOf(answer);
    expect([place, type]).toEqual([
      expect.stringMatching(/^path\./),
      'value_error.percent_encoding',
    ]);
  });
});

describe('a request', () => {
  test('without a credential and with a bad path is refused for the credential', async () => {
    expect((await client.ask(listPath('me'), null)).status).toBe(403);
    expect((await client.ask(listPath('me'), asReader)).status).toBe(422);
  });

  test('with a path out of bounds is 422 before its permission is checked', async () => {
    const powerless = { sub: PLAYER, permissions: [] };
    const long = { type: 'x'.repeat(129), session_id: 'y'.repeat(129) };
    expect(problemsOf(await client.ask(sessionPath(long), powerless))).toEqual([
      ['path.type', 'value_error.any_str.max_length'],
      ['path.session_id', 'value_error.any_str.max_length'],
    ]);
    const answer = await client.ask(seatPath(NAME, 'me'), powerless, { method: 'DELETE' });
    expect(problemsOf(answer).map(([place]) => place)).toEqual(['path.player_uuid']);
  });

  test('with HEAD has the headers of a GET and no body', async () => {
    const { name } = await createSession(createAdminClient(service));
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => client.ask(sessionPath(name), asReader, { method })),
    );
    expect([head?.status, head?.text, head?.etag]).toEqual([200, '', get?.etag]);
    expect(head?.headers.get('content-length')).toBe(get?.headers.get('content-length'));
  });

  test('to the path with a slash at its end is the same', async () => {
    const answer = await client.ask(`${listPath(PLAYER)}/`, asReader);
    expect([answer.status, answer.body]).toEqual([200, { sessions: [] }]);
  });

  test('is 429 with Retry-After over the rate limit, which joins share', async () => {
    const player = randomUUID();
    const { name, platformSessionId } = await createSession(createAdminClient(service));
    await join(service, platformSessionId, player);
    const answers: CompanionAnswer[] = [];
    for (let sent = 0; sent < 12; sent += 1) {
      answers.push(await client.read(name, asPlayer(player)));
    }
    const limited = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(limited).toHaveLength(5);
    for (const { body, headers } of limited) {
      expect(body).toMatchObject({ auth_success: true, error_code: 'rate_limited' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await join(service, platformSessionId, player)).status).toBe(409);
    const left = await client.leave(name, player);
    expect([left.status, left.body.error_code]).toEqual([429, 'rate_limited']);
  });
});

describe('COMPANION_ENDPOINTS=off', () => {
  let closed: TestService;
  beforeAll(async () => {
    const env = { COMPANION_ENDPOINTS: 'off', CORS_ORIGINS: GAME };
    closed = await startTestService({ env, databaseUrl: service.databaseUrl });
  });
  afterAll(() => closed.close());

  test('leaves unknown routes, with and without a credential', async () => {
    const off = createCompanionClient(closed);
    const unknown = await off.ask('/session/v1/other', null);
    expect(unknown.body.error_code).toBe('route_not_found');
    for (const [method, path] of ENDPOINTS) {
      for (const caller of [null, asReader]) {
        const answer = await off.ask(path, caller, { method });
        expect([answer.status, answer.body]).toEqual([404, unknown.body]);
      }
      const headers = { origin: GAME, 'access-control-request-method': method };
      const preflight = await off.ask(path, null, { method: 'OPTIONS', headers });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
        404,
        null,
      ]);
    }
  });

  test('serves no document of them', async () => {
    const answer = await fetch(`${closed.baseUrl}/openapi-companion.json`);
    expect(answer.status).toBe(404);
    expect(await (await fetch(`${closed.baseUrl}/docs`)).text()).not.toContain('companion');
  });
});
