// Signing in through an OpenID Connect issuer that does everything right.
import { describe, expect, it } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { TestIssuer } from './testing/test-issuer.ts';
import {
  addPerson,
  begin,
  ORIGIN,
  PUBLIC_URL,
  serveIssuer,
  signInThroughIssuer,
  verified,
} from './testing/test-issuer.ts';

let issuer: TestIssuer;
let service: TestService;
serveIssuer((served) => {
  ({ issuer, service } = served);
});

it('redirects to the issuer with PKCE, a state and a nonce, and back with a strict cookie', async () => {
  const { email } = await addPerson(service, 'viewer');
  const begun = await begin(service);
  // It has to come along when the issuer sends the person back, and no script needs it.
  const cookies = begun.answer.headers.getSetCookie();
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatch(/state=.*; HttpOnly/);
  expect(cookies[0]).toMatch(/; SameSite=Lax/);
  expect(Object.fromEntries(begun.authorizationUrl.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'muster',
    redirect_uri: `${PUBLIC_URL}/admin/auth/callback/oidc`,
    scope: 'openid email profile',
    state: expect.stringMatching(/^.{32,}$/),
    nonce: expect.stringMatching(/^.{32,}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  const { back } = await signInThroughIssuer(service, issuer, verified(email));
  const kept = back.headers.getSetCookie().filter((cookie) => cookie.includes('session_token'));
  expect(kept).toHaveLength(1);
  expect(kept[0]).toMatch(/; HttpOnly; SameSite=Strict/);
});

it('signs in a person who exists, and keeps no token of the issuer', async () => {
  const { email, accountId } = await addPerson(service, 'editor');
  const { location, me } = await signInThroughIssuer(service, issuer, verified(email));
  expect(location).toBe('/sessions');
  expect(me.data).toMatchObject({ account_id: accountId, role: 'editor' });
  expect((await signInThroughIssuer(service, issuer, verified(email))).me.status).toBe(200);
  const logins = await service.database.prisma.accountLogin.findMany({
    where: { userId: accountId, providerId: 'oidc' },
  });
  expect(logins).toMatchObject([{ accessToken: null, refreshToken: null, idToken: null }]);
  const records = await service.database.prisma.auditRecord.findMany({
    where: { accountId },
    orderBy: { auditId: 'asc' },
  });
  expect(records.map(({ action }) => action)).toEqual([
    'auth.linkIdentity',
    'auth.signIn',
    'auth.signIn',
  ]);
});

it('asks for no second factor of this service: the issuer decides how it authenticates', async () => {
  const { email, accountId } = await addPerson(service, 'viewer');
  await service.database.prisma.accountUser.update({
    where: { id: accountId },
    data: { twoFactorEnabled: true },
  });
  const { me } = await signInThroughIssuer(service, issuer, verified(email));
  expect(me.data).toMatchObject({ account_id: accountId, two_factor_enabled: true });
});

it('takes the e-mail address and the name from the userinfo endpoint where the ID token has none', async () => {
  const { email, accountId } = await addPerson(service, 'viewer');
  const profile = verified(email);
  const { me } = await signInThroughIssuer(service, issuer, profile, {
    userInfo: { body: profile },
  });
  expect(me.data).toMatchObject({ account_id: accountId });
});

it('makes the person who was invited by that address, once, with the invited role', async () => {
  const owner = createAdminCaller(service.baseUrl, {
    authorization: `Bearer ${await service.signToken()}`,
  });
  const invitation = { email: 'invited@muster.example', role: 'viewer' };
  const { url } = (await owner.mutate<{ url: string }>('people.invite', invitation)).data;
  const profile = verified('Invited@Muster.example');
  const { me } = await signInThroughIssuer(service, issuer, profile);
  expect(me.data).toMatchObject({ role: 'viewer', name: 'From the issuer' });
  const token = url.split('#token=')[1];
  const again = await createAdminCaller(service.baseUrl).mutate('invitations.get', { token });
  expect(again.code).toBe('invitation_not_found');
});

it('is offered by its name, and people with a password can sign in while the issuer is down', async () => {
  const methods = await createAdminCaller(service.baseUrl).query('accounts.signInMethods');
  expect(methods.data).toEqual({ oidc: { name: '127.0.0.1' } });
  const lonely = await startTestService({
    env: { ...issuer.env, OIDC_ISSUER: 'http://127.0.0.1:1' },
  });
  const answer = await fetch(`${lonely.baseUrl}/admin/auth/sign-in/social`, {
    method: 'POST',
    headers: ORIGIN,
    body: '{}',
  });
  expect([answer.status, await answer.json()]).toEqual([
    503,
    expect.objectContaining({ error_code: 'issuer_unavailable' }),
  ]);
  const body = JSON.stringify({ email: 'a@muster.example', password: 'wrong' });
  const url = `${lonely.baseUrl}/admin/auth/sign-in/email`;
  expect((await fetch(url, { method: 'POST', headers: ORIGIN, body })).status).toBe(403);
  await lonely.close();
});

it('can be begun 30 times from one address; successful sign-ins do not count', async () => {
  const { email } = await addPerson(service, 'viewer');
  const { prisma } = service.database;
  await prisma.accountThrottle.deleteMany();
  expect((await signInThroughIssuer(service, issuer, verified(email))).me.status).toBe(200);
  const statuses: number[] = [];
  for (let count = 0; count < 31; count += 1) {
    const url = `${service.baseUrl}/admin/auth/sign-in/social`;
    statuses.push((await fetch(url, { method: 'POST', headers: ORIGIN, body: '{}' })).status);
  }
  expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
  await prisma.accountThrottle.deleteMany();
});

it('a person with 300 sign-ins within an hour returns to the sign-in page without a session', async () => {
  const { email, accountId } = await addPerson(service, 'viewer');
  const { prisma } = service.database;
  const where = { userId: accountId };
  await prisma.accountThrottle.deleteMany();
  expect((await signInThroughIssuer(service, issuer, verified(email))).me.status).toBe(200);
  const key = `sign-ins:${accountId}`;
  const counted = { attempts: 300, windowStartedAt: new Date() };
  await prisma.accountThrottle.upsert({
    where: { key },
    create: { key, ...counted },
    update: counted,
  });
  const open = await prisma.accountSession.count({ where });
  const { location, me } = await signInThroughIssuer(service, issuer, verified(email));
  expect(location).toBe('/login?error=rate_limited');
  expect(me.status).toBe(403);
  expect(await prisma.accountSession.count({ where })).toBe(open);
});

describe('the name of an invited person is the local part of the e-mail address where the issuer sends', () => {
  it.each([
    ['no name', undefined],
    ['an empty name', ''],
    ['spaces', '   '],
    ['U+0000', 'A\u0000B'],
    ['a control character', 'A\u0007B'],
    ['a lone surrogate', 'A\ud800'],
    ['invisible characters', '\u200b\u200d'],
    ['a turn of the direction', 'A\u202eB'],
    ['a number', 42],
    ['an object', { first: 'A' }],
  ])('%s', async (_, name) => {
    const person = `guest-${crypto.randomUUID().slice(0, 8)}`;
    await invite(`${person}@muster.example`);
    const profile = { ...verified(`${person}@muster.example`), name };
    const { location, me } = await signInThroughIssuer(service, issuer, profile);
    expect([location, me.data?.name]).toEqual(['/sessions', person]);
  });

  it('and a long name is cut between two characters', async () => {
    const guest = `guest-${crypto.randomUUID().slice(0, 8)}@muster.example`;
    await invite(guest);
    const profile = { ...verified(guest), name: `a${'😀'.repeat(200)}` };
    const { me } = await signInThroughIssuer(service, issuer, profile);
    expect(me.data.name).toBe(`a${'😀'.repeat(127)}`);
  });
});

const invite = async (address: string) => {
  const authorization = `Bearer ${await service.signToken()}`;
  const owner = createAdminCaller(service.baseUrl, { authorization });
  expect((await owner.mutate('people.invite', { email: address, role: 'viewer' })).status).toBe(
    200,
  );
};
