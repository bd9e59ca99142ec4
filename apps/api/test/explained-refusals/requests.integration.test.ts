// Each kind of refused request besides joins is explained by its log line, and so is a join that is refused before the
// rules.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ITEMS, joinPath } from '../public-client.ts';
import { openSlowClient, sendRaw } from '../raw-client.ts';
import { noteSecrets } from '../suite-logs/suite-logs.ts';
import type { SignedInPerson } from '../test-service.ts';
import type { RefusalBed } from './refusal-bed.ts';
import { bearer, joinLine, sign, startRefusalBed } from './refusal-bed.ts';

let bed: RefusalBed;
let person: SignedInPerson;
beforeAll(async () => {
  bed = await startRefusalBed({
    requestTimeoutMs: 2_000,
    rateLimit: { perSecond: 1, burst: 500 },
  });
  person = await bed.service.createPerson({ role: 'viewer' });
});
afterAll(() => bed.service.close());

describe('a request refused before the rules', () => {
  it('an unknown route', async () => {
    const { line } = await bed.send('/nowhere?a=b', {});
    expect(line).toEqual({
      method: 'GET',
      route: 'unmatched',
      status: 404,
      error_code: 'route_not_found',
      reason: 'There is no such route.',
    });
  });

  it('a method that the route does not have', async () => {
    const player = randomUUID();
    const { line } = await bed.send(joinPath('abc', 'PSN', player), { method: 'PUT' });
    expect(line).toEqual({
      ...joinLine(player, 405),
      method: 'PUT',
      platform: 'PSN',
      error_code: 'method_not_allowed',
      reason: 'The route does not answer this method.',
    });
  });

  it('a body that is too large', async () => {
    const { body, line, player } = await bed.join({
      change: { custom_data: 'x'.repeat(1_100_000) },
    });
    expect(line).toEqual({
      ...joinLine(player, 413),
      error_code: 'body_too_large',
      reason: body.desc,
      account_id: player,
    });
  });

  it('a compressed body', async () => {
    const headers = { ...bearer(await sign()), 'content-encoding': 'gzip' };
    const { line } = await bed.send(joinPath('abc'), { method: 'POST', headers, body: '{}' });
    expect(line).toMatchObject({ status: 415, error_code: 'body_compressed' });
  });

  it('a body that does not arrive', async () => {
    const player = randomUUID();
    const slow = await openSlowClient(bed.service.baseUrl);
    const token = await sign({ sub: player });
    const head = [
      `POST ${joinPath('abc', 'Steam', player)} HTTP/1.1`,
      'Host: a',
      'Content-Type: application/json',
      `Authorization: Bearer ${token}`,
      'Content-Length: 50',
    ];
    slow.send(`${head.join('\r\n')}\r\n\r\n{`);
    await slow.closed;
    const requestId = /X-Request-Id: (\S+)/i.exec(slow.received())?.[1] ?? '';
    expect(slow.received()).toContain('HTTP/1.1 408');
    expect(await bed.readLine(requestId)).toEqual({
      ...joinLine(player, 408),
      error_code: 'request_timeout',
      reason: 'The request did not arrive in time.',
      account_id: player,
    });
  });

  it.each([
    ['headers that are too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`],
    ['invalid HTTP', 'hello\r\n\r\n'],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const answer = await sendRaw(bed.service.baseUrl, bytes);
    const { error_code, desc } = JSON.parse(answer.body);
    expect(await bed.readLine(answer.headers.get('x-request-id') ?? '')).toEqual({
      route: 'unmatched',
      status: answer.status,
      error_code,
      reason: desc,
    });
  });

  it('the metrics, for a caller without the permission', async () => {
    const { line } = await bed.send('/metrics', {
      headers: bearer(await sign({ sub: 'curious', permissions: [] })),
    });
    expect(line).toEqual({
      method: 'GET',
      route: '/metrics',
      status: 403,
      error_code: 'insufficient_permissions',
      reason: 'The credential does not permit this action.',
      account_id: 'curious',
    });
  });

  it('a caller over the rate limit, by the account', async () => {
    const authorization = await sign({ sub: 'too-eager' });
    let sent = await bed.send(ITEMS, { headers: bearer(authorization) });
    for (let count = 0; sent.status !== 429 && count < 1_000; count += 50) {
      await Promise.all(
        Array.from({ length: 50 }, () =>
          fetch(`${bed.service.baseUrl}${ITEMS}`, { headers: bearer(authorization) }),
        ),
      );
      sent = await bed.send(ITEMS, { headers: bearer(authorization) });
    }
    expect(sent.line).toMatchObject({
      status: 429,
      error_code: 'rate_limited',
      reason: 'Too many requests; try again later.',
      account_id: 'too-eager',
    });
  });
});

describe('the admin API', () => {
  const call = (path: string, headers: Record<string, string>, input: unknown = {}) =>
    bed.send(`/admin/trpc/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
  /** Like a page of the service. */
  const asPerson = () => ({ cookie: person.cookie, origin: bed.service.baseUrl });

  it('a procedure that the caller may not call', async () => {
    const { line } = await call('sandboxes.create', asPerson(), { name: 'any' });
    expect(line).toEqual({
      method: 'POST',
      route: '/admin/trpc/sandboxes.create',
      status: 403,
      procedure: 'sandboxes.create',
      error_code: 'insufficient_permissions',
      reason: 'The credential does not permit this action.',
      account_id: person.accountId,
    });
  });

  it('a refused token', async () => {
    const { line } = await call('sandboxes.create', bearer(await sign({ aud: 'elsewhere' })));
    expect(line).toMatchObject({
      status: 403,
      procedure: 'sandboxes.create',
      error_code: 'auth_token_invalid_claim',
      claim: 'aud',
    });
    expect(line).not.toHaveProperty('account_id');
  });

  it('a page of another site, by the person of its cookie', async () => {
    const headers = { cookie: person.cookie, origin: 'https://elsewhere.example' };
    const { line } = await call('sandboxes.create', headers);
    expect(line).toMatchObject({
      status: 403,
      error_code: 'origin_refused',
      account_id: person.accountId,
    });
  });

  it('an invalid input, by its fields', async () => {
    const { line } = await call('sandboxes.create', bearer(await sign()), { name: 5 });
    expect(line).toMatchObject({
      status: 400,
      error_code: 'input_invalid',
      fields: expect.arrayContaining(['body.name']),
      account_id: 'backend',
    });
  });

  it('an unknown procedure, without its name', async () => {
    const { line } = await call('people.nothing', bearer(await sign()));
    expect(line).toEqual({
      method: 'POST',
      route: '/admin/trpc',
      status: 404,
      error_code: 'not_found',
      account_id: 'backend',
    });
  });

  it('the first refused call of a batch, also when others succeed', async () => {
    const changes = await bed.send('/admin/trpc/sessions.end,sessions.delete?batch=1', {
      headers: bearer(await sign()),
    });
    expect(changes.line).toMatchObject({
      status: 405,
      error_code: 'method_not_supported',
      procedure: 'sessions.end',
    });
    const input = JSON.stringify({ 1: { type: 'duel', session_id: 'none' } });
    const mixed = await bed.send(
      `/admin/trpc/me.get,sessions.get?batch=1&input=${encodeURIComponent(input)}`,
      { headers: bearer(await sign()) },
    );
    expect(mixed.line).toEqual({
      method: 'GET',
      route: '/admin/trpc',
      status: 207,
      procedure: 'sessions.get',
      error_code: 'session_not_found',
      reason: 'There is no such session.',
      account_id: 'backend',
    });
  });

  it('an invalid import, by the names of its parameters', async () => {
    const { line } = await bed.send(`/admin/import/${randomUUID()}/item?format=xml`, {
      method: 'POST',
      headers: bearer(await sign()),
      body: '',
    });
    expect(line).toMatchObject({
      route: '/admin/import',
      status: 422,
      error_code: 'input_invalid',
      fields: expect.arrayContaining(['query.format']),
      account_id: 'backend',
    });
  });
});

describe('signing in', () => {
  const call = (path: string, body: object, cookie?: string) =>
    bed.send(`/admin/auth${path}`, {
      method: 'POST',
      headers: { origin: bed.service.baseUrl, ...(cookie !== undefined && { cookie }) },
      body: JSON.stringify(body),
    });
  const wrong = 'a wrong password of the explained refusals';
  beforeAll(() => noteSecrets(wrong));

  it('a wrong password, without the account', async () => {
    const { line } = await call('/sign-in/email', { email: person.email, password: wrong });
    expect(line).toEqual({
      method: 'POST',
      route: '/admin/auth/sign-in/email',
      status: 403,
      error_code: 'sign_in_refused',
      reason: 'E-mail and password do not belong together, or the account is disabled.',
    });
    expect(bed.readLog()).not.toContain(person.email);
  });

  it('a refused change of the password, by the signed-in person', async () => {
    const passwords = { currentPassword: wrong, newPassword: `${wrong} too` };
    const { line } = await call('/change-password', passwords, person.cookie);
    expect(line).toMatchObject({
      status: 403,
      error_code: 'password_refused',
      account_id: person.accountId,
    });
  });
});
