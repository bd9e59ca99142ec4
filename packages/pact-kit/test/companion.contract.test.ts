import { expect, inject, it } from 'vitest';
import { runKit } from './run-kit.ts';
import { temporaryFolder, writePacts } from './verify-for-test.ts';

const { url, secret } = inject('provider');

type Json = Record<string, unknown>;

const PLAYER = '11111111-2222-4333-8444-555555555516';
const SESSION = '/session/v1/session/duel/final%201';
const SEAT = `${SESSION}/player/${PLAYER}`;
const LIST = `/session/v1/player/${PLAYER}/session`;
const SEATED = 'a player is seated in a session';

const verify = (interaction: Json) => {
  const pact = {
    consumer: { name: 'test-game' },
    provider: { name: 'muster' },
    interactions: [{ description: 'a companion request', ...interaction }],
    metadata: { pactSpecification: { version: '3.0.0' } },
  };
  const files = writePacts(temporaryFolder(), [pact]);
  return runKit(['verify', ...files, '--provider-url', url, '--secret', secret]);
};

const seated = (params: Json = {}) => [
  { name: SEATED, params: { player_uuid: PLAYER, ...params } },
];
const SEATED_BODY = {
  type: 'duel',
  session_id: 'final 1',
  teams: [{ players: [{ player_uuid: PLAYER, status: 'leader' }] }, { players: [] }],
};

it.each<[string, Json[], Json, Json]>([
  [
    'reads the session of a seated player',
    seated(),
    { method: 'GET', path: SESSION },
    { status: 200, body: SEATED_BODY },
  ],
  [
    'reads the session of an invited player',
    seated({ status: 'invited' }),
    { method: 'GET', path: SESSION },
    { status: 200, body: { teams: [{ players: [{ status: 'invited' }] }, { players: [] }] } },
  ],
  [
    'reads a session as a service',
    [
      { name: 'a session', params: {} },
      { name: 'the caller', params: { sub: 'backend', permissions: ['session:view'] } },
    ],
    { method: 'GET', path: SESSION },
    { status: 200, body: { type: 'duel', session_id: 'final 1' } },
  ],
  [
    'does not find an unknown session',
    [{ name: 'no such session', params: {} }],
    { method: 'GET', path: SESSION },
    { status: 404, body: { auth_success: true, error_code: 'session_not_found' } },
  ],
  [
    'lists the sessions of a player',
    seated({ type: 'duel', session_id: 'final 1' }),
    { method: 'GET', path: LIST },
    {
      status: 200,
      body: {
        sessions: [{ type: 'duel', session_id: 'final 1', status: 'leader', team_id: 0 }],
      },
    },
  ],
  ['leaves a session', seated(), { method: 'DELETE', path: SEAT }, { status: 204 }],
  [
    'is asked to leave later',
    [{ name: 'a temporary refusal', params: { error_code: 'session_busy' } }],
    { method: 'DELETE', path: SEAT },
    { status: 409, body: { auth_success: true, error_code: 'session_busy' } },
  ],
])('a consumer that %s passes', async (_, providerStates, request, response) => {
  const run = await verify({ providerStates, request, response });
  expect(run.out).toMatch(/1 passed, 0 failed of 1/);
  expect(run.code).toBe(0);
});

it.each<[string, Json, Json, string]>([
  [
    'an unknown field',
    { method: 'GET', path: SESSION },
    { status: 200, body: { sesion_id: 'x' } },
    'unknown-response-field',
  ],
  ['another method', { method: 'POST', path: SESSION }, { status: 200 }, 'wrong-method'],
  ['an undeclared status', { method: 'DELETE', path: SEAT }, { status: 200 }, 'undeclared-status'],
])('a consumer that expects %s fails', async (_, request, response, rule) => {
  const run = await verify({ providerStates: seated(), request, response });
  expect(run.out).toContain(rule);
  expect(run.code).toBe(1);
});
