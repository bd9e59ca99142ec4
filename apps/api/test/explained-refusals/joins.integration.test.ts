// Each kind of refused join is explained by one log line, found by its request id.
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { ITEMS } from '../public-client.ts';
import { noteSecrets } from '../suite-logs/suite-logs.ts';
import type { Line, RefusalBed } from './refusal-bed.ts';
import { bearer, JOIN_ROUTE, joinLine, sign, startRefusalBed } from './refusal-bed.ts';

let bed: RefusalBed;
beforeAll(async () => {
  bed = await startRefusalBed();
});
afterAll(() => bed.service.close());

test('explains one refused join by method, status, code, player, session and reason', async () => {
  const instance = {
    instance_id: 'i-1',
    host_type: 'dedicated',
    join_status: 'joinable',
    version: '2.1.0',
  };
  const { name, lobby } = await bed.createSession({ instance });
  const { line, player } = await bed.join({ lobby });
  expect(line).toEqual({
    method: 'POST',
    route: JOIN_ROUTE,
    status: 403,
    error_code: 'version_incompatible',
    reason: 'Client version 1.0.0 does not match instance version 2.1.0 (rule: patch).',
    account_id: player,
    platform: 'Steam',
    session_type: name.type,
    session_id: name.session_id,
    player_uuid: player,
  });
});

test('logs neither player nor session of an accepted join', async () => {
  const { lobby } = await bed.createSession();
  const { status, line } = await bed.join({ lobby });
  expect(status).toBe(200);
  expect(line).toEqual({ method: 'POST', route: JOIN_ROUTE, status: 200 });
});

describe('a refused credential, without its unverified account', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const cases: [string, () => Promise<string>, Line][] = [
    ['no credential', async () => '', { error_code: 'auth_missing' }],
    ['no token', async () => 'nothing-like-a-token', { error_code: 'auth_not_jwt' }],
    ['a malformed token', async () => 'a.b.c', { error_code: 'auth_token_format' }],
    [
      'another secret',
      () => sign({}, 'another secret of at least 32 bytes'),
      { error_code: 'auth_token_sig_invalid' },
    ],
    [
      'an unknown API key',
      async () => `msk_${'x'.repeat(43)}`,
      { error_code: 'auth_token_unknown' },
    ],
    [
      'an expired token',
      () => sign({ exp: now() - 600 }),
      { error_code: 'auth_token_expired', claim: 'exp' },
    ],
  ];
  it.each(cases)('%s', async (_, makeToken, expected) => {
    const { body, line, player } = await bed.join({ token: await makeToken() });
    expect(body.error_code).toBe(expected.error_code);
    expect(line).toEqual({ ...joinLine(player, 403), ...expected, reason: body.desc });
  });
});

test('a join that the caller may not request, by the caller and the player', async () => {
  const { line, player } = await bed.join({ claims: { sub: 'a-stranger' } });
  expect(line).toEqual({
    ...joinLine(player, 403),
    error_code: 'insufficient_permissions',
    reason: 'The credential does not permit this action.',
    account_id: 'a-stranger',
  });
});

test('an unknown platform session', async () => {
  const { line, player } = await bed.join({});
  expect(line).toEqual({
    ...joinLine(player, 404),
    error_code: 'platform_session_not_found',
    reason: 'There is no such platform session.',
    account_id: player,
  });
});

describe('an invalid request, by the names of its fields and none of its values', () => {
  const SECRET_VALUE = 'a value that no log has';
  beforeAll(() => noteSecrets(SECRET_VALUE));

  it('lists fields of path, query and body', async () => {
    const { line, player } = await bed.join({
      platform: 'Stream',
      query: `?player_id=${encodeURIComponent(SECRET_VALUE)}`,
      change: {
        team_id: SECRET_VALUE,
        client_version: SECRET_VALUE,
        custom_data: { name: 5, [SECRET_VALUE]: SECRET_VALUE },
      },
    });
    expect(line).toEqual({
      method: 'POST',
      route: JOIN_ROUTE,
      status: 422,
      error_code: 'input_invalid',
      reason: expect.stringContaining('Must be an integer'),
      fields: [
        'path.platform',
        'query.player_id',
        'body.client_version',
        'body.team_id',
        'body.custom_data.name',
      ],
      account_id: player,
      player_uuid: player,
    });
  });

  it('contains neither an invalid platform nor an invalid player', async () => {
    const claims = { sub: 'somebody' };
    const { line } = await bed.join({ platform: SECRET_VALUE, player: SECRET_VALUE, claims });
    expect(line).toMatchObject({ status: 422, fields: ['path.platform', 'path.player_uuid'] });
    expect(line.platform).toBeUndefined();
    expect(line.player_uuid).toBeUndefined();
  });

  it('lists at most twenty names, shortened, without control characters', async () => {
    const keys = Array.from({ length: 60 }, (_, index) => `${index}\u202e\u0007${'x'.repeat(100)}`);
    const entries = keys.map((key) => [key, 5]);
    const { line } = await bed.join({ change: { custom_data: Object.fromEntries(entries) } });
    const fields = line.fields as string[];
    expect(fields).toHaveLength(20);
    for (const field of fields) {
      expect(field.length).toBeLessThanOrEqual(200);
      expect(field).toMatch(/^body\.custom_data\.[^\p{C}]+$/u);
    }
    expect(JSON.stringify(line).length).toBeLessThan(5_000);
  });

  it('lists fields of a history', async () => {
    const { line } = await bed.send(`${ITEMS}?page_size=many`, { headers: bearer(await sign()) });
    expect(line).toEqual({
      method: 'GET',
      route: '/v1/history/sandbox/:sandbox_id/item/',
      status: 422,
      error_code: 'input_invalid',
      reason: 'Must be an integer',
      fields: ['query.page_size'],
      account_id: 'backend',
    });
  });

  it('lists an unknown team', async () => {
    const { name, lobby } = await bed.createSession();
    const { line, player } = await bed.join({ lobby, change: { team_id: 9 } });
    expect(line).toEqual({
      ...joinLine(player, 422),
      error_code: 'team_not_found',
      reason: 'The session has no such team',
      fields: ['body.team_id'],
      account_id: player,
      session_type: name.type,
      session_id: name.session_id,
    });
  });
});

describe('a join refused by the rules of the session, by the session', () => {
  const crossplay = (permitted_platform: string) => ({
    permitted_platform,
    permitted_input: 'desired_inputs_any',
  });
  const instance = (join_status: string) => ({
    instance: { instance_id: 'i-1', host_type: 'dedicated', join_status },
  });
  /** The session, the first join, and the refused one. */
  const cases: [string, number, object, object | undefined, object][] = [
    ['instance_closed', 409, instance('closed'), undefined, {}],
    ['instance_unjoinable', 409, instance('unjoinable'), undefined, {}],
    ['session_not_joinable', 403, { joinable: false }, undefined, {}],
    ['team_full', 409, {}, {}, {}],
    ['session_full', 409, { teams: [{ max_size: 1 }] }, {}, {}],
    [
      'crossplay_incompatible',
      403,
      {},
      {},
      { team_id: 1, crossplay_preferences: crossplay('desired_platforms_xboxlike') },
    ],
  ];
  it.each(cases)('%s', async (code, status, session, before, change) => {
    const { name, lobby } = await bed.createSession(session);
    if (before) expect((await bed.join({ lobby, change: before })).status).toBe(200);
    const { body, line, player } = await bed.join({ lobby, change });
    expect(body.error_code).toBe(code);
    expect(line).toEqual({
      ...joinLine(player, status),
      error_code: code,
      reason: body.desc,
      account_id: player,
      session_type: name.type,
      session_id: name.session_id,
    });
  });
});
