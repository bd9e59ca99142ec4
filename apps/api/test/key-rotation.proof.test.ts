// Keys change while two processes serve, without an effect on players.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createTestDatabase } from '@muster/database/testing';
import { expect, test } from 'vitest';
import { signToken } from '../src/auth/index.ts';
import { getAccountsSecret, loadConfig } from '../src/platform/index.ts';
import { createAdminCaller } from './admin-caller.ts';
import { findFailuresAtStart, startJoinLoad } from './faults/join-load.ts';
import { authorise, createTestBed, SECRET } from './faults/test-bed.ts';
import { NOTHING_LOST, verifyOutcome } from './faults/verify-outcome.ts';
import type { ServiceProcess } from './service-process.ts';
import { startServiceProcess } from './service-process.ts';

const NEW_SECRET = randomUUID() + randomUUID();

const signNew: typeof authorise = async (sub, permission) => {
  const rules = { secret: NEW_SECRET, ttlSeconds: 3_600, permissionsClaims: ['permissions'] };
  return `Bearer ${await signToken({ sub, permissions: [permission] }, rules)}`;
};

test('rotates a shared secret by two rolling restarts, and no join fails', async () => {
  const database = await createTestDatabase();
  const start = (env: Record<string, string>) =>
    startServiceProcess({ DATABASE_URL: database.url, ACCOUNTS_SECRET: SECRET, ...env });
  const running = [
    await start({ AUTH_JWT_SECRET: SECRET }),
    await start({ AUTH_JWT_SECRET: SECRET }),
  ];
  const baseUrls = running.map(({ baseUrl }) => baseUrl);
  const testBed = await createTestBed(baseUrls[0] ?? '', 400);
  let sign = authorise;
  const load = startJoinLoad({ testBed, baseUrls, sign: (...claims) => sign(...claims) });
  /** Like a load balancer: adds the new one, sends no more requests to the old one, then stops it. */
  const roll = async (env: Record<string, string>) => {
    for (const [index, old] of [...running.entries()]) {
      const next: ServiceProcess = await start(env);
      running[index] = next;
      baseUrls[index] = next.baseUrl;
      expect(await old.stop()).toBe(0);
    }
  };
  await delay(500);
  await roll({ AUTH_JWT_SECRET: NEW_SECRET, AUTH_JWT_SECRET_PREVIOUS: SECRET });
  sign = signNew;
  await delay(500);
  await roll({ AUTH_JWT_SECRET: NEW_SECRET });
  await delay(500);
  const joins = await load.stop();
  expect(joins).toMatchObject({ violations: [], unanswered: 0 });
  expect(findFailuresAtStart(joins)).toEqual([]);
  expect(joins.joins.filter(({ outcome }) => outcome === 'lost')).toEqual([]);
  expect(joins.joins.length).toBeGreaterThan(1_000);
  expect(await verifyOutcome(database.url, { testBed, joins })).toEqual(NOTHING_LOST);

  const ask = (authorization: string) =>
    createAdminCaller(baseUrls[0] ?? '', { authorization }).query('sandboxes.list');
  expect(await ask(await authorise('old', '*'))).toMatchObject({
    status: 403,
    code: 'auth_token_sig_invalid',
  });
  expect(await ask(await signNew('new', '*'))).toMatchObject({ status: 200 });
  await Promise.all(running.map((service) => service.stop()));
  await database.drop();
});

test('rotates the key of a service account without a refused request', async () => {
  const database = await createTestDatabase();
  const service = await startServiceProcess({
    DATABASE_URL: database.url,
    AUTH_JWT_SECRET: SECRET,
  });
  const admin = createAdminCaller(service.baseUrl, {
    authorization: await authorise('owner', '*'),
  });
  const account = await admin.mutate<{ account_id: string }>('keys.createAccount', {
    name: 'Backend',
  });
  const makeKey = async (name: string) =>
    (
      await admin.mutate<{ key: string; key_id: string }>('keys.create', {
        account_id: account.data.account_id,
        name,
        permissions: ['session:view'],
      })
    ).data;
  const old = await makeKey('old');
  const ask = async (key: string) =>
    (
      await createAdminCaller(service.baseUrl, { authorization: `Bearer ${key}` }).query(
        'sessions.list',
      )
    ).status;
  let key = old.key;
  let stopped = false;
  let withOld = 0;
  const statuses: number[] = [];
  const asking = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!stopped) {
        const given = key;
        withOld += given === old.key ? 1 : 0;
        statuses.push(await ask(given));
        withOld -= given === old.key ? 1 : 0;
      }
    }),
  );
  await delay(300);
  key = (await makeKey('new')).key;
  // Requests with the old key are answered before it ends.
  await expect.poll(() => withOld).toBe(0);
  expect((await admin.mutate('keys.revoke', { key_id: old.key_id })).status).toBe(200);
  await expect.poll(() => ask(old.key), { timeout: 6_000 }).toBe(403);
  stopped = true;
  await asking;
  expect(new Set(statuses)).toEqual(new Set([200]));
  await service.stop();
  await database.drop();
});

test('keeps the accounts secret that was derived from a shared secret when that one changes', async () => {
  const script =
    "console.log(Buffer.from(crypto.hkdfSync('sha256',process.env.AUTH_JWT_SECRET,'','muster accounts',32)).toString('base64url'))";
  const env = { AUTH_JWT_SECRET: SECRET };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
  expect(stdout.trim()).toBe(await getAccountsSecret(loadConfig(env)));
});
