// No log line contains a password, a token, a code, a cookie, a key, or a value of a request. The player of a refused
// join is the only exception.
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { expect, it } from 'vitest';
import { signToken } from '../src/auth/index.ts';
import { createAdminCaller } from './admin-caller.ts';
import { postAuth } from './auth-calls.ts';
import { sendRaw } from './raw-client.ts';
import { startServiceProcess } from './service-process.ts';
import { createPerson } from './test-service.ts';

const SIGNING = 'a signing secret that no log line contains';

const signFor = (sub: string, ttlSeconds: number): Promise<string> =>
  signToken(
    { sub, permissions: ['session:update-player:self'] },
    { secret: SIGNING, ttlSeconds, permissionsClaims: ['permissions'] },
  );

it('logs no secret of accounts, no query and no path parameter except the player of a refused join, at the most verbose level', async () => {
  const own = await createTestDatabase();
  const database = openDatabase({ url: own.url });
  const service = await startServiceProcess({
    DATABASE_URL: own.url,
    LOG_LEVEL: 'trace',
    AUTH_JWT_SECRET: SIGNING,
  });
  const { baseUrl } = service;
  const owner = await createPerson({ baseUrl, database }, { role: 'owner' });
  const admin = createAdminCaller(baseUrl, owner);

  const wrong = 'a wrong password that is never logged';
  await postAuth(baseUrl, '/sign-in/email', { email: owner.email, password: wrong });
  const invitation = { email: 'new@muster.example', role: 'viewer' };
  const { url } = (await admin.mutate<{ url: string }>('people.invite', invitation)).data;
  const token = url.split('#token=')[1] ?? '';
  await createAdminCaller(baseUrl).mutate('invitations.get', { token });
  const account = (await admin.mutate<{ account_id: string }>('keys.createAccount', { name: 'A' }))
    .data;
  const made = await admin.mutate<{ key: string }>('keys.create', {
    account_id: account.account_id,
    name: 'k',
    permissions: ['metrics:view'],
  });
  const { key } = made.data;
  const answer = await createAdminCaller(baseUrl, { authorization: `Bearer ${key}` }).query(
    'me.get',
  );
  expect(answer.status).toBe(200);
  await createAdminCaller(baseUrl, { authorization: `Bearer ${key}x` }).query('me.get');

  // Path parameters and queries: ids of players, sandboxes and platform sessions, and search texts.
  const told = [
    'bG9iYnktdGhhdC1uby1sb2ctdGVsbHM',
    '7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a77',
    'searched-for',
    'a-name-in-custom-data',
  ];
  const [session, sandbox, search, noted] = told;
  const player = 'e1b7c9d0-2f3a-4c5b-8d6e-7f8091a2b3c4';
  for (const target of [
    `/session/v1/platform/Steam/platform-session/${session}/player/${player}?player_id=${search}`,
    `/v1/history/sandbox/${sandbox}/item/?name=${search}`,
    `/admin/export/${sandbox}/item?name=${search}`,
    `/admin/trpc/items.list?input=${encodeURIComponent(JSON.stringify({ sandbox_id: sandbox, name: search }))}`,
    `/admin/trpc/${search}`,
    `/${search}?${sandbox}`,
  ]) {
    for (const host of ['Host: a', `Host: ${search}:${sandbox}@a`, `Host: ${search}/${sandbox}`]) {
      const lines = [`GET ${target} HTTP/1.1`, host, `Cookie: ${owner.cookie}`];
      await sendRaw(baseUrl, `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
    }
  }

  // Refused joins, for each part of them, with accepted tokens and with a refused one.
  const joins = `/session/v1/platform/Steam/platform-session/${session}/player/${player}`;
  const self = await signFor(player, 600);
  const expired = await signFor(player, -600);
  const body = { client_settings: { platform: 'Steam', input: 'touch' }, client_version: '1.0.0' };
  for (const [query, bearer, change] of [
    ['', self, { team_id: 0, custom_data: { note: noted } }],
    ['', expired, { team_id: 0, custom_data: { note: noted } }],
    [`?player_id=${search}`, self, { team_id: noted, custom_data: noted }],
    ['', `${self}x`, {}],
  ] as const) {
    const refused = await fetch(`${baseUrl}${joins}${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ...change }),
    });
    expect(refused.status).toBeGreaterThanOrEqual(403);
  }

  expect(await service.stop()).toBe(0);
  await database.close();
  await own.drop();
  const log = service.readErrors();
  expect(log).toContain('me.get');
  const signIn = decodeURIComponent(owner.cookie.split('=')[1] ?? '').split('.')[0] ?? '';
  const signatures = [self, expired].map((each) => each.split('.')[2] ?? '');
  for (const secret of [owner.password, wrong, token, key, signIn, SIGNING, ...signatures]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(log).not.toContain(secret);
  }
  for (const value of told) expect(log).not.toContain(value);
  const naming = log.split('\n').filter((line) => line.includes(player));
  expect(naming.length).toBeGreaterThan(0);
  for (const line of naming) {
    expect(JSON.parse(line)).toMatchObject({ msg: 'request', player_uuid: player });
    expect(JSON.parse(line).status).toBeGreaterThanOrEqual(400);
  }
}, 60_000);
