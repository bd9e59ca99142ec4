// Signing in through an OpenID Connect issuer: one of our own, on a socket, with a key of its own.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { readCookies, startTestService } from '../../test/test-service.ts';

const PUBLIC_URL = 'http://localhost:3000';
const CLIENT = { OIDC_CLIENT_ID: 'muster', OIDC_CLIENT_SECRET: 'shh', OIDC_NAME: 'Studio SSO' };
type Profile = { sub: string; email: string; email_verified: boolean; name?: string };

const { privateKey, publicKey } = await generateKeyPair('RS256');
/** Who the issuer says has signed in, and the nonce that the service sent. */
const issuer = { url: '', profile: {} as Profile, nonce: '' };

const signIdToken = () =>
  new SignJWT({ ...issuer.profile, nonce: issuer.nonce })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setIssuer(issuer.url)
    .setAudience('muster')
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey);

const answerAs: Record<string, () => Promise<unknown>> = {
  '/.well-known/openid-configuration': async () => ({
    issuer: issuer.url,
    authorization_endpoint: `${issuer.url}/authorize`,
    token_endpoint: `${issuer.url}/token`,
    jwks_uri: `${issuer.url}/keys`,
    id_token_signing_alg_values_supported: ['RS256'],
  }),
  '/keys': async () => ({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }] }),
  '/token': async () => ({
    ...{ access_token: 'of-the-issuer', token_type: 'Bearer', expires_in: 300 },
    id_token: await signIdToken(),
  }),
};
const server = createServer(async (request, response) => {
  const answer = answerAs[request.url ?? ''];
  response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify((await answer?.()) ?? {}));
});

let service: TestService;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await startTestService({
    env: { PUBLIC_URL, TRUST_PROXY: '0', OIDC_ISSUER: issuer.url, ...CLIENT },
  });
});
afterAll(async () => {
  await service.close();
  server.close();
});

/** From the button to where the browser ends up. */
const signInThroughIssuer = async (profile: Profile) => {
  issuer.profile = profile;
  const begin = await fetch(`${service.baseUrl}/admin/auth/sign-in/social`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: PUBLIC_URL },
    body: JSON.stringify({ callbackURL: '/sessions' }),
  });
  // It has to come along when the issuer sends the person back, and no script needs it.
  for (const cookie of begin.headers.getSetCookie()) {
    expect(cookie).toMatch(/state=.*; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
  }
  const { url } = (await begin.json()) as { url: string };
  const asked = new URL(url).searchParams;
  issuer.nonce = asked.get('nonce') ?? '';
  expect(asked.get('redirect_uri')).toBe(`${PUBLIC_URL}/admin/auth/callback/oidc`);
  expect(asked.get('code_challenge_method')).toBe('S256');
  const query = new URLSearchParams({ code: 'a-code', state: asked.get('state') ?? '' });
  const back = await fetch(`${service.baseUrl}/admin/auth/callback/oidc?${query}`, {
    headers: { cookie: readCookies(begin) },
    redirect: 'manual',
  });
  const kept = back.headers.getSetCookie().filter((cookie) => cookie.includes('session_token'));
  for (const cookie of kept) expect(cookie).toMatch(/; SameSite=Strict/);
  const cookie = readCookies(back);
  const me = await createAdminCaller(service.baseUrl, { cookie }).query('me.get');
  return { location: back.headers.get('location') ?? '', me };
};
const verified = (email: string): Profile => ({
  ...{ sub: `sub of ${email}`, email, email_verified: true, name: 'From the issuer' },
});

it('signs in a person who exists, and keeps no token of the issuer', async () => {
  const { email, accountId } = await addPerson('editor');
  const { location, me } = await signInThroughIssuer(verified(email));
  expect(location).toMatch(/^(http:\/\/localhost:3000)?\/sessions$/);
  expect(me.data).toMatchObject({ account_id: accountId, role: 'editor' });
  expect((await signInThroughIssuer(verified(email))).me.status).toBe(200);
  const logins = await service.database.prisma.accountLogin.findMany({
    where: { userId: accountId, providerId: 'oidc' },
  });
  expect(logins).toMatchObject([{ accessToken: null, refreshToken: null, idToken: null }]);
  const records = await service.database.prisma.auditRecord.findMany({ where: { accountId } });
  expect(records.map(({ action }) => action)).toEqual(['auth.signIn', 'auth.signIn']);
});

it('makes the person who was invited by that address, once, with the invited role', async () => {
  const owner = createAdminCaller(service.baseUrl, {
    authorization: `Bearer ${await service.signToken()}`,
  });
  const invitation = { email: 'invited@muster.example', role: 'viewer' };
  const { url } = (await owner.mutate<{ url: string }>('people.invite', invitation)).data;
  const { me } = await signInThroughIssuer(verified('Invited@Muster.example'));
  expect(me.data).toMatchObject({ role: 'viewer', name: 'From the issuer' });
  const token = url.split('#token=')[1];
  const again = await createAdminCaller(service.baseUrl).mutate('invitations.get', { token });
  expect(again.code).toBe('invitation_not_found');
});

it('refuses unknown people, unverified addresses and disabled people', async () => {
  const known = await addPerson('owner');
  const gone = await addPerson('editor', new Date());
  const strangers = [
    verified('stranger@muster.example'),
    { ...verified(known.email), sub: 'another', email_verified: false },
    verified(gone.email),
  ];
  for (const profile of strangers) {
    const { location, me } = await signInThroughIssuer(profile);
    expect(location).toMatch(/^(http:\/\/localhost:3000)?\/login\?error=/);
    expect([profile.email, me.status]).toEqual([profile.email, 403]);
  }
  expect(
    await service.database.prisma.accountUser.count({
      where: { email: 'stranger@muster.example' },
    }),
  ).toBe(0);
});

it('is offered by its name, and people with a password can sign in while the issuer is down', async () => {
  const methods = await createAdminCaller(service.baseUrl).query('accounts.signInMethods');
  expect(methods.data).toEqual({ oidc: { name: 'Studio SSO' } });
  const away = { PUBLIC_URL, TRUST_PROXY: '0', OIDC_ISSUER: 'http://127.0.0.1:1', ...CLIENT };
  const lonely = await startTestService({ env: away });
  const answer = await fetch(`${lonely.baseUrl}/admin/auth/sign-in/social`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: PUBLIC_URL },
    body: '{}',
  });
  expect([answer.status, await answer.text()]).toEqual([
    503,
    expect.stringContaining('Studio SSO'),
  ]);
  const headers = { 'content-type': 'application/json', origin: PUBLIC_URL };
  const body = JSON.stringify({ email: 'a@muster.example', password: 'wrong' });
  const url = `${lonely.baseUrl}/admin/auth/sign-in/email`;
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(403);
  await lonely.close();
});

it('is begun so many times from one address; those that sign in do not count', async () => {
  const { email } = await addPerson('viewer');
  const begin = async () => {
    const headers = { 'content-type': 'application/json', origin: PUBLIC_URL };
    const url = `${service.baseUrl}/admin/auth/sign-in/social`;
    return (await fetch(url, { method: 'POST', headers, body: '{}' })).status;
  };
  const { prisma } = service.database;
  await prisma.accountThrottle.deleteMany();
  expect((await signInThroughIssuer(verified(email))).me.status).toBe(200);
  const statuses: number[] = [];
  for (let count = 0; count < 31; count += 1) statuses.push(await begin());
  expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
  await prisma.accountThrottle.deleteMany();
});

/** Without a password: the issuer is the only way in. */
const addPerson = async (role: string, disabledAt?: Date) => {
  const accountId = crypto.randomUUID();
  const email = `${accountId.slice(0, 8)}@muster.example`;
  await service.database.prisma.accountUser.create({
    data: { id: accountId, name: role, email, role, ...(disabledAt && { disabledAt }) },
  });
  return { accountId, email };
};

it('whoever has signed in 300 times within an hour is led back to the sign-in page, and opens nothing', async () => {
  const { email, accountId } = await addPerson('viewer');
  const { prisma } = service.database;
  const where = { userId: accountId };
  await prisma.accountThrottle.deleteMany();
  expect((await signInThroughIssuer(verified(email))).me.status).toBe(200);
  const key = `sign-ins:${accountId}`;
  const counted = { attempts: 300, windowStartedAt: new Date() };
  await prisma.accountThrottle.upsert({
    where: { key },
    create: { key, ...counted },
    update: counted,
  });
  const open = await prisma.accountSession.count({ where });
  const { location, me } = await signInThroughIssuer(verified(email));
  expect(location).toBe('/login?error=rate_limited');
  expect(me.status).toBe(403);
  expect(await prisma.accountSession.count({ where })).toBe(open);
});
