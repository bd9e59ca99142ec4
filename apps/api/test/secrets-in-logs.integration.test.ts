// Whatever people and scripts do, no log line tells a password, a token, a code, a cookie or a key.
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { expect, it } from 'vitest';
import { createAdminCaller } from './admin-caller.ts';
import { sendRaw } from './raw-client.ts';
import { startServiceProcess } from './service-process.ts';
import { createPerson } from './test-service.ts';

it('keeps every secret of accounts, every path parameter and every query out of the log, at its most talkative', async () => {
  const own = await createTestDatabase();
  const database = openDatabase({ url: own.url });
  const service = await startServiceProcess({
    ...{ DATABASE_URL: own.url, LOG_LEVEL: 'trace' },
    AUTH_JWT_SECRET: 'a signing secret that no log line tells',
  });
  const { baseUrl } = service;
  const owner = await createPerson({ baseUrl, database }, { role: 'owner' });
  const admin = createAdminCaller(baseUrl, owner);

  const wrong = 'a wrong password that nobody logs';
  await fetch(`${baseUrl}/admin/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify({ email: owner.email, password: wrong }),
  });
  const invitation = { email: 'new@muster.example', role: 'viewer' };
  const { url } = (await admin.mutate<{ url: string }>('people.invite', invitation)).data;
  const token = url.split('#token=')[1] ?? '';
  await createAdminCaller(baseUrl).mutate('invitations.get', { token });
  const account = (await admin.mutate<{ account_id: string }>('keys.createAccount', { name: 'A' }))
    .data;
  const made = await admin.mutate<{ key: string }>('keys.create', {
    ...{ ...account, name: 'k', permissions: ['metrics:view'] },
  });
  const { key } = made.data;
  const answer = await createAdminCaller(baseUrl, { authorization: `Bearer ${key}` }).query(
    'me.get',
  );
  expect(answer.status).toBe(200);
  await createAdminCaller(baseUrl, { authorization: `Bearer ${key}x` }).query('me.get');

  // Path parameters and queries: ids of players, sandboxes and platform sessions, and whatever people search for.
  const told = [
    'bG9iYnktdGhhdC1uby1sb2ctdGVsbHM',
    '7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a77',
    'searched-for',
  ];
  const [session, player, search] = told;
  for (const target of [
    `/session/v1/platform/Steam/platform-session/${session}/player/${player}?player_id=${search}`,
    `/v1/history/sandbox/${player}/item/?name=${search}`,
    `/admin/export/${player}/item?name=${search}`,
    `/admin/trpc/items.list?input=${encodeURIComponent(JSON.stringify({ sandbox_id: player, name: search }))}`,
    `/admin/trpc/${search}`,
    `/${search}?${player}`,
  ]) {
    for (const host of ['Host: a', `Host: ${search}:${player}@a`, `Host: ${search}/${player}`]) {
      const lines = [`GET ${target} HTTP/1.1`, host, `Cookie: ${owner.cookie}`];
      await sendRaw(baseUrl, `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
    }
  }

  expect(await service.stop()).toBe(0);
  await database.close();
  await own.drop();
  const log = service.readErrors();
  expect(log).toContain('me.get');
  const signIn = decodeURIComponent(owner.cookie.split('=')[1] ?? '').split('.')[0] ?? '';
  const signing = 'a signing secret that no log line tells';
  for (const secret of [owner.password, wrong, token, key, signIn, signing]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(log).not.toContain(secret);
  }
  for (const value of told) expect(log).not.toContain(value);
}, 60_000);
