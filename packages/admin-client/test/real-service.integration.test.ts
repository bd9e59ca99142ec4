import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Service } from '../../client/test/start/start-service.ts';
import { signToken, startService } from '../../client/test/start/start-service.ts';
import type { AdminApiError } from '../src/index.ts';
import { createAdminClient } from '../src/index.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

const connect = (permissions = ['*']) =>
  createAdminClient({
    baseUrl: service.baseUrl,
    token: () => signToken('game-backend', permissions),
  });

const refusalOf = (call: Promise<unknown>): Promise<AdminApiError> =>
  call.then(
    () => Promise.reject(new Error('The call was not refused.')),
    (error) => error,
  );

describe('calls', () => {
  test('makes, reads, walks and ends sessions', async () => {
    const client = connect();
    const type = `duel-${randomUUID()}`;
    await client.call('sessionTypes.upsert', {
      type,
      default_teams: [{ team_id: 0, max_size: 2 }],
    });
    const { session, etag } = await client.call('sessions.create', { type });
    for (let count = 0; count < 4; count += 1) await client.call('sessions.create', { type });
    const key = { type, session_id: session.session_id };
    expect(await client.call('sessions.get', key)).toMatchObject({ session, etag });
    expect(await client.call('sessions.get', { ...key, if_none_match: etag })).toMatchObject({
      unchanged: true,
    });

    const pages = await Array.fromAsync(
      client.pages('sessions.list', { type, page_size: 2 }),
      ({ sessions }) => sessions.map((listed) => listed.session.session_id),
    );
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(new Set(pages.flat()).size).toBe(5);

    await client.call('sessions.end', { ...key, expected_etag: etag });
    expect(await refusalOf(client.call('sessions.get', key))).toMatchObject({
      code: 'session_not_found',
    });
  });

  test('sends an empty input where every member is optional', async () => {
    const me = await connect().call('me.get');
    expect(me.account_id).toBe('game-backend');
    const { service_accounts } = await connect().call('keys.list');
    expect(service_accounts).toEqual([]);
  });

  test('returns undefined for a procedure without a result', async () => {
    const client = connect();
    const { account_id } = await client.call('keys.createAccount', { name: 'Backend' });
    expect(await client.call('keys.removeAccount', { account_id })).toBeUndefined();
  });
});

describe('refusals', () => {
  test('have the code, the status, the sentence and the id of the request', async () => {
    const client = connect();
    const type = `duel-${randomUUID()}`;
    await client.call('sessionTypes.upsert', { type, default_teams: [] });
    const teams = [{ max_size: 2 }];
    const { session, etag } = await client.call('sessions.create', { type, teams });
    const { session_id } = session;
    const error = await refusalOf(
      client.call('sessions.end', { type, session_id, expected_etag: '"old"' }),
    );
    expect(error).toMatchObject({
      name: 'AdminApiError',
      status: 409,
      code: 'session_etag_mismatch',
      requestId: expect.stringMatching(/./),
      data: { current_etag: etag },
    });
    expect(error.message).toBe(`session_etag_mismatch: ${error.desc}`);
  });

  test('list every problem of an input', async () => {
    const input = { type: 'duel', page_size: 0, colour: 'red' } as { type: string };
    const error = await refusalOf(connect().call('sessions.list', input));
    expect([error.status, error.code]).toEqual([400, 'input_invalid']);
    expect(error.data.detail?.map(({ loc }) => loc.at(-1)).toSorted()).toEqual([
      'colour',
      'page_size',
    ]);
  });

  test('say when a credential is not accepted or does not permit the call', async () => {
    const { baseUrl } = service;
    const stranger = createAdminClient({ baseUrl, token: 'msk_unknown' });
    expect(await refusalOf(stranger.call('me.get'))).toMatchObject({ status: 403 });
    const viewer = connect(['session:view']);
    const refused = viewer.call('sessionTypes.upsert', { type: 'duel', default_teams: [] });
    expect(await refusalOf(refused)).toMatchObject({
      status: 403,
      code: 'insufficient_permissions',
    });
  });
});

describe('responses of other programs', () => {
  const serve = async (listener: RequestListener) => {
    const server = createServer(listener);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  test.each([
    [502, '<html>Bad Gateway</html>'],
    [200, '<html>Hello</html>'],
    [200, '"text"'],
    [503, '{"message":"no backend"}'],
    [500, 'null'],
  ])('are unexpected_response: %d %s', async (status, body) => {
    const baseUrl = await serve((_, response) => {
      response.writeHead(status, { 'retry-after': '7' }).end(body);
    });
    const client = createAdminClient({ baseUrl, token: 'key' });
    expect(await refusalOf(client.call('me.get'))).toMatchObject({
      name: 'AdminApiError',
      code: 'unexpected_response',
      status,
      retryAfterSeconds: 7,
    });
  });

  test('send requests under the path prefix of a gateway', async () => {
    const baseUrl = await serve(({ method, url, headers }, response) => {
      const data = { method, url, authorization: headers.authorization };
      response.end(JSON.stringify({ result: { data } }));
    });
    const client = createAdminClient({ baseUrl: `${baseUrl}/games/`, token: 'key' });
    expect(await client.call('me.get')).toEqual({
      method: 'POST',
      url: '/games/admin/trpc/me.get',
      authorization: 'Bearer key',
    });
  });

  test('end a call after its timeout, or when its signal is aborted', async () => {
    const abortion = new AbortController();
    const baseUrl = await serve(() => abortion.abort(new Error('no longer needed')));
    const short = createAdminClient({ baseUrl, token: 'key', timeoutMs: 1 });
    await expect(short.call('me.get')).rejects.toMatchObject({ name: 'TimeoutError' });
    const client = createAdminClient({ baseUrl, token: 'key' });
    const call = client.call('me.get', undefined, { signal: abortion.signal });
    await expect(call).rejects.toThrow('no longer needed');
  });

  test('do not end a long poll before its wait is over', async () => {
    const type = `duel-${randomUUID()}`;
    const { session, etag } = await connect().call('sessions.create', {
      type,
      teams: [{ max_size: 2 }],
    });
    const client = createAdminClient({
      baseUrl: service.baseUrl,
      token: signToken('game-backend', ['*']),
      timeoutMs: 2_000,
    });
    const watched = await client.call('sessions.watch', {
      type,
      session_id: session.session_id,
      if_none_match: etag,
      wait_seconds: 3,
    });
    expect(watched).toMatchObject({ unchanged: true });
  });

  test('need a complete URL', () => {
    expect(() => createAdminClient({ baseUrl: 'ftp://muster', token: 'key' })).toThrow(TypeError);
    expect(() => createAdminClient({ baseUrl: 'muster', token: 'key' })).toThrow(TypeError);
  });
});
