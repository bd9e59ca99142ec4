import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { BODY, ITEMS, JOIN } from '../../test/public-client.ts';
import { startTestService } from '../../test/test-service.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import { createIssuerKeys } from './issuer-keys.ts';

let answers: boolean;
let jwk: object;
let changes: number;
let elapsedMs: number;
let keys: IssuerKeys;
/** Takes its time: these wait for their answers. */
let held: ServerResponse[] | undefined;
const publish = (response: ServerResponse) => response.end(JSON.stringify({ keys: [jwk] }));
const issuer = createServer((_request, response) => {
  if (held) held.push(response);
  else if (answers) publish(response);
  else response.destroy();
});

const publishAnother = async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' };
  return privateKey;
};
const urlOf = () => `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/`;

beforeAll(() => new Promise<void>((done) => issuer.listen(0, '127.0.0.1', done)));
afterAll(() => issuer.close());
beforeEach(async () => {
  [answers, changes, elapsedMs, held] = [true, 0, 0, undefined];
  await publishAnother();
  keys = createIssuerKeys({
    url: new URL(urlOf()),
    onChange: () => {
      changes += 1;
    },
    now: () => elapsedMs,
  });
  await keys.getKey({ alg: 'ES256' }, { payload: '', signature: '' });
});

it('asks again in the background while requests come', async () => {
  await publishAnother();
  elapsedMs = 2_900;
  expect(keys.refreshIfStale()).toBeUndefined();
  elapsedMs = 3_100;
  expect(keys.refreshIfStale()).toBeUndefined();
  await expect.poll(() => changes).toBe(1);
});

it('after an idle time, waits for the issuer before it uses the keys', async () => {
  await publishAnother();
  elapsedMs = 60_000;
  await keys.refreshIfStale();
  expect(changes).toBe(1);
  expect(keys.refreshIfStale()).toBeUndefined();
});

it('uses old keys for ten minutes while the issuer does not answer', async () => {
  answers = false;
  for (elapsedMs = 60_000; elapsedMs <= 600_000; elapsedMs += 60_000) await keys.refreshIfStale();
  elapsedMs = 600_001;
  await expect(keys.refreshIfStale()).rejects.toMatchObject({ code: 'service_unavailable' });
  answers = true;
  elapsedMs += 3_001;
  await keys.refreshIfStale()?.catch(() => {});
  await expect.poll(() => keys.refreshIfStale()).toBeUndefined();
});

const askFor = (kid: string) => keys.getKey({ alg: 'ES256', kid }, { payload: '', signature: '' });

it('refuses an unknown key only when the issuer has just said that there is none', async () => {
  elapsedMs = 1_001;
  await expect(askFor('unknown')).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  answers = false;
  elapsedMs = 2_002;
  await expect(askFor('unknown')).rejects.toMatchObject({ code: 'service_unavailable' });
  // Nor while the failed fetch is fresh, and when the keys are older than they may be used unasked.
  elapsedMs = 2_100;
  await expect(askFor('unknown')).rejects.toMatchObject({ code: 'service_unavailable' });
  elapsedMs = 60_000;
  await expect(askFor('unknown')).rejects.toMatchObject({ code: 'service_unavailable' });
});

it('finds a key that was published since, once the issuer answers again', async () => {
  answers = false;
  elapsedMs = 1_001;
  await expect(askFor('new')).rejects.toMatchObject({ code: 'service_unavailable' });
  await publishAnother();
  jwk = { ...jwk, kid: 'new' };
  answers = true;
  elapsedMs = 2_002;
  await expect(askFor('new')).resolves.toBeDefined();
});

/** A service of this issuer, and requests with tokens of a key. */
const openService = async () => {
  const privateKey = await publishAnother();
  jwk = { ...jwk, kid: 'known' };
  const [AUTH_ISSUER, AUTH_AUDIENCE] = ['https://id.example', 'muster'];
  const keySettings = { AUTH_JWT_SECRET: '', AUTH_JWKS_URL: urlOf() };
  const service = await startTestService({ env: { ...keySettings, AUTH_ISSUER, AUTH_AUDIENCE } });
  const ask = async (kid: string, path: string, init: RequestInit = {}) => {
    const token = new SignJWT({ permissions: ['*'] }).setProtectedHeader({ alg: 'ES256', kid });
    token.setSubject('backend').setIssuer(AUTH_ISSUER).setAudience(AUTH_AUDIENCE);
    const authorization = `Bearer ${await token.setExpirationTime('1h').sign(privateKey)}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(service.baseUrl + path, { headers, ...init });
    const { error_code, error } = JSON.parse(await answer.text());
    return `${answer.status} ${error_code ?? error?.data.error_code}`;
  };
  const join = (kid: string) => ask(kid, JOIN, { method: 'POST', body: JSON.stringify(BODY) });
  return { service, ask, join };
};

it('a token of an unknown key is 409 on a join and 503 elsewhere while the issuer is gone, never 403', async () => {
  const { service, ask, join } = await openService();
  expect(await join('known')).toBe('404 platform_session_not_found');
  answers = false;
  // Until the next fetch, the issuer counts as having just answered without this key.
  await expect.poll(() => join('unknown')).toBe('409 service_overloaded');
  expect(await ask('unknown', ITEMS)).toBe('503 service_unavailable');
  expect(await ask('unknown', '/admin/trpc/me.get')).toBe('503 service_unavailable');
  expect(await join('known')).toBe('404 platform_session_not_found');
  await service.close();
});

it('tokens of unknown keys do not delay other callers while the issuer is slow', async () => {
  const { service, ask, join } = await openService();
  expect(await join('known')).toBe('404 platform_session_not_found');
  await delay(1_100);
  held = [];
  const forged = [
    ...Array.from({ length: 80 }, () => join('unknown')),
    ...Array.from({ length: 6 }, () => ask('unknown', ITEMS)),
  ];
  await expect.poll(() => held?.length).toBe(1);
  const known = await Promise.all([
    ...Array.from({ length: 5 }, () => join('known')),
    ...Array.from({ length: 5 }, () => ask('known', ITEMS)),
  ]);
  expect(new Set(known)).toEqual(new Set(['404 platform_session_not_found', '200 undefined']));
  expect(held).toHaveLength(1);
  held.forEach(publish);
  // Requests that have waited for too long are rejected.
  const refused = /^(403 auth_token_unknown|409 service_overloaded|503 service_unavailable)$/;
  for (const answer of await Promise.all(forged)) expect(answer).toMatch(refused);
  await service.close();
});

it('250 requests with unknown keys wait for the issuer, and others are rejected', async () => {
  elapsedMs = 1_001;
  held = [];
  const asked = Array.from({ length: 252 }, () => askFor('unknown').catch(({ code }) => code));
  expect(await Promise.all(asked.slice(250))).toEqual([
    'service_unavailable',
    'service_unavailable',
  ]);
  await expect.poll(() => held?.length).toBe(1);
  held.forEach(publish);
  expect(new Set(await Promise.all(asked.slice(0, 250)))).toEqual(
    new Set(['ERR_JWKS_NO_MATCHING_KEY']),
  );
});
