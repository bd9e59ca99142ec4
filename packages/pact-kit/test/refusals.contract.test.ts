import { describe, expect, inject, it } from 'vitest';
import { makeRefusal } from '../src/apply-states/make-refusal.ts';
import { signToken } from '../src/apply-states/sign-token.ts';
import { readRoute } from '../src/provider-states/resolve-state.ts';
import { runKit } from './run-kit.ts';
import { temporaryFolder, writePacts } from './verify-for-test.ts';

const provider = inject('provider');
const HISTORY = '/v1/history/sandbox/0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a15/item/';
const PLAYER = '11111111-2222-4333-8444-555555555515';
const JOIN = `/session/v1/platform/Steam/platform-session/abc/player/${PLAYER}`;
const BODY = {
  client_version: '1.4.2',
  client_settings: { platform: 'Steam', input: 'gamepad' },
  team_id: 0,
};

type Json = Record<string, unknown>;

const verify = (path: string, params: Json, status: number, error_code: string) => {
  const isJoin = path === JOIN;
  const interaction = {
    description: 'a request that is refused for now',
    providerStates: [{ name: 'a temporary refusal', params }],
    request: isJoin
      ? { method: 'POST', path, headers: { 'Content-Type': 'application/json' }, body: BODY }
      : { method: 'GET', path },
    response: {
      status,
      headers: { 'Retry-After': '2' },
      body: { auth_success: true, error_code },
      matchingRules: {
        header: { 'Retry-After': { matchers: [{ match: 'regex', regex: '[1-9][0-9]*' }] } },
      },
    },
  };
  const pact = {
    consumer: { name: 'test-game' },
    provider: { name: 'muster' },
    interactions: [interaction],
    metadata: { pactSpecification: { version: '3.0.0' } },
  };
  const files = writePacts(temporaryFolder(), [pact]);
  const { url, secret } = provider;
  return runKit(['verify', ...files, '--provider-url', url, '--secret', secret]);
};

describe('the state "a temporary refusal"', () => {
  it.each([
    [JOIN, {}, 409, 'service_overloaded'],
    [JOIN, { error_code: 'session_busy' }, 409, 'session_busy'],
    [JOIN, { error_code: 'rate_limited', retry_after: 7 }, 409, 'rate_limited'],
    [HISTORY, {}, 503, 'service_unavailable'],
    [HISTORY, { error_code: 'rate_limited' }, 429, 'rate_limited'],
  ])('verifies what a client does about %s %j: %i %s', async (path, params, status, code) => {
    const run = await verify(path, params, status, code);
    expect(run.out).toMatch(/1 passed, 0 failed of 1/);
    expect(run.code).toBe(0);
  });

  it('fails a pact that expects another code or another status', async () => {
    const code = await verify(JOIN, { error_code: 'session_busy' }, 409, 'rate_limited');
    expect(code.out).toContain('$.error_code');
    const status = await verify(HISTORY, { error_code: 'rate_limited' }, 503, 'rate_limited');
    expect(status.out).toContain('status 429 instead of 503');
    const never = await verify(HISTORY, { error_code: 'session_busy' }, 503, 'service_unavailable');
    expect(never.out).toContain('a history is never refused with session_busy');
    expect([code.code, status.code, never.code]).toEqual([1, 1, 1]);
  });

  it.each([
    [JOIN, 409],
    [HISTORY, 429],
  ])('answers as the service does to a player over the rate limit: %s', async (path, status) => {
    const sub = path === JOIN ? PLAYER : PLAYER.replace('15', '16');
    const permissions = ['session:update-player:self', 'sandbox:config:view'];
    const authorization = `Bearer ${await signToken({ sub, permissions }, provider)}`;
    const init =
      path === JOIN
        ? {
            method: 'POST',
            body: JSON.stringify(BODY),
            headers: { authorization, 'content-type': 'application/json' },
          }
        : { headers: { authorization } };
    const responses = await Promise.all(
      Array.from({ length: 200 }, () => fetch(`${provider.url}${path}`, init)),
    );
    const refused = responses.find((response) => response.status === status);
    if (!refused) throw new Error('The service refused nothing.');
    const made = makeRefusal({ error_code: 'rate_limited', retry_after: 1 }, readRoute(path));
    expect(made.status).toBe(refused.status);
    expect(JSON.parse(made.body.toString('utf8'))).toEqual(await refused.json());
    const ignored = ['connection', 'keep-alive', 'date', 'content-length', 'etag'];
    const names = [...refused.headers.keys()].filter((name) => !ignored.includes(name));
    expect(Object.keys(made.headers).toSorted()).toEqual(names.toSorted());
    expect(made.headers['content-type']).toBe(refused.headers.get('content-type'));
  });
});
