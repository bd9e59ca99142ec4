// Whatever people and scripts do, no log line tells a password, a token, a code, a cookie or a key.
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { expect, it } from 'vitest';
import { createAdminCaller } from './admin-caller.ts';
import { startServiceProcess } from './service-process.ts';
import { createPerson } from './test-service.ts';

it('keeps every secret of accounts out of the log, at its most talkative', async () => {
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

  expect(await service.stop()).toBe(0);
  await database.close();
  await own.drop();
  const log = service.readErrors();
  expect(log).toContain('me.get');
  const session = decodeURIComponent(owner.cookie.split('=')[1] ?? '').split('.')[0] ?? '';
  const signing = 'a signing secret that no log line tells';
  for (const secret of [owner.password, wrong, token, key, session, signing]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(log).not.toContain(secret);
  }
}, 60_000);
