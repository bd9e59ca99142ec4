import { expect, inject, it } from 'vitest';
import { runKit } from './run-kit.ts';
import { temporaryFolder, writePacts } from './verify-for-test.ts';

const { url, secret } = inject('provider');

const verify = (pact: object) =>
  runKit([
    'verify',
    ...writePacts(temporaryFolder(), [pact]),
    '--provider-url',
    url,
    '--secret',
    secret,
  ]);

const SANDBOX = '0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a11';
const EXAMPLE = '0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a12';
const PLAYER = '11111111-2222-4333-8444-555555555501';
const ITEM = '7d1a2b3c-4e5f-4a6b-8c7d-9e0f1a2b3c41';

const fromState = (expression: string) => ({
  type: 'ProviderState',
  expression,
  dataType: 'STRING',
});
const like = { combine: 'AND', matchers: [{ match: 'type' }] };

/** As `fromProviderState` of the usual libraries writes it: an example, a generator, and a matcher for the type. */
const HISTORY = {
  description: 'a history whose ids come from the state',
  providerStates: [
    { name: 'an Item with versions', params: { sandbox_id: SANDBOX, item_id: ITEM, versions: 2 } },
    { name: 'an Item with versions', params: { sandbox_id: SANDBOX, item_id: EXAMPLE } },
    {
      name: 'an Item with versions',
      params: { sandbox_id: SANDBOX, item_id: ITEM.replace('7', '8') },
    },
  ],
  request: {
    method: 'GET',
    path: `/v1/history/sandbox/${EXAMPLE}/item/`,
    query: { item_ids: [EXAMPLE] },
    headers: { Authorization: 'Bearer example', 'X-Request-Id': 'example' },
    generators: {
      path: fromState(`/v1/history/sandbox/\${sandbox_id}/item/`),
      query: { item_ids: fromState(`\${item_id}`) },
      header: {
        Authorization: fromState(`Bearer \${token}`),
        'X-Request-Id': fromState(`\${item_id}`),
      },
    },
    matchingRules: {
      path: like,
      query: { item_ids: like },
      header: { Authorization: like, 'X-Request-Id': like },
    },
  },
  response: {
    status: 200,
    body: {
      transactions: [{ version: { item_id: ITEM.replace('7', '8') } }],
      page_meta: { total: 1 },
    },
  },
};

const JOIN = {
  description: 'a join whose path and body come from the state',
  providerStates: [
    { name: 'a session', params: { platform: 'Steam', platform_session_id_base64: 'abcd' } },
    { name: 'a known player', params: { player_uuid: PLAYER } },
  ],
  request: {
    method: 'POST',
    path: `/session/v1/platform/Steam/platform-session/example/player/${EXAMPLE}`,
    headers: { 'Content-Type': 'application/json' },
    body: {
      client_version: '1.4.2',
      client_settings: { platform: 'PSN', input: 'gamepad' },
      team_id: 0,
    },
    generators: {
      path: fromState(
        `/session/v1/platform/\${platform}/platform-session/\${platform_session_id_base64}/player/\${player_uuid}`,
      ),
      body: { '$.client_settings.platform': fromState(`\${platform}`) },
    },
    matchingRules: { path: like, body: { '$.client_settings.platform': like } },
  },
  response: {
    status: 200,
    body: {
      teams: [{ players: [{ player_uuid: PLAYER, client_settings: { platform: 'Steam' } }] }, {}],
    },
  },
};

const pactOf = (...interactions: object[]) => ({
  consumer: { name: 'test-game' },
  provider: { name: 'muster' },
  interactions,
  metadata: { pactSpecification: { version: '3.0.0' } },
});

it('verifies what a pact takes from its states in path, query, headers and body', async () => {
  const { code, out } = await verify(pactOf(HISTORY, JOIN));
  expect(out).toMatch(/^Verified against .*: 2 passed, 0 failed of 2 interactions/m);
  expect(code).toBe(0);
});

it('names a value that no state of the interaction gives', async () => {
  const request = { ...HISTORY.request, generators: { path: fromState(`/v1/\${sandboxid}`) } };
  const { code, out } = await verify(pactOf({ ...HISTORY, request }));
  expect(code).toBe(1);
  expect(out).toContain('The generator takes "sandboxid" from a provider state');
  expect(out).toContain('Did you mean "sandbox_id"?');
});

it('says the wrong status alone, without the bodies, and what state is missing', async () => {
  const { path, generators: _, matchingRules: __, ...request } = JOIN.request;
  const join = { ...JOIN, providerStates: [], request: { ...request, path } };
  const { code, out } = await verify(
    pactOf({ ...join, response: { status: 200, body: { joinable: true, teams: [] } } }),
  );
  expect(code).toBe(1);
  const errors = out.split('\n').filter((line) => /^ +error /.test(line));
  expect(errors).toEqual([expect.stringContaining('status 404 instead of 200.')]);
  expect(out).toContain("The interaction names no provider state; try 'a session'.");
  expect(out).toContain('error code platform_session_not_found');
  const history = {
    description: 'a history without a state',
    request: { method: 'GET', path: HISTORY.request.path },
    response: { status: 200, body: { page_meta: { total: 2 } } },
  };
  expect((await verify(pactOf(history))).out).toContain("try 'an Item with versions'");
});

it('shortens the values of a body that differs', async () => {
  const response = {
    status: 200,
    body: { teams: { players: 'x'.repeat(1000), more: 'y'.repeat(1000) } },
  };
  const { out } = await verify(pactOf({ ...JOIN, response }));
  expect(out).toContain('$.teams');
  const lines = out.split('\n').filter((line) => line.includes('The service answered'));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line.length).toBeLessThan(350);
});
