// The checks of OpenID Connect Core 1.0, and the page that a failed sign-in ends on.
import { createHash } from 'node:crypto';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { startServiceProcess } from '../../test/service-process.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { Deviation, TestIssuer } from './testing/test-issuer.ts';
import {
  ACCESS_TOKEN,
  addPerson,
  begin,
  CLIENT_SECRET,
  comeBack,
  exportPublicKey,
  grant,
  listAudit,
  ORIGIN,
  readEnd,
  readLocation,
  serveIssuer,
  signInThroughIssuer,
  startTestIssuer,
  verified,
} from './testing/test-issuer.ts';

let issuer: TestIssuer;
let service: TestService;
let email: string;
let accountId: string;
serveIssuer(async (served) => {
  ({ issuer, service } = served);
  ({ email, accountId } = await addPerson(service, 'owner'));
});

const now = () => Math.floor(Date.now() / 1_000);
const foreign = await generateKeyPair('RS256');
const INVALID = 'issuer_response_invalid';

/** The value of `at_hash` for an access token. */
const halfHash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');

/** A wrong response of the issuer, the error code of the page, and a part of the reason in the audit trail. */
const DEVIATIONS: [string, Deviation, string, string][] = [
  ['no ID token', { makeIdToken: async () => undefined }, INVALID, 'has no ID token'],
  ['an ID token that is no JWT', { makeIdToken: async () => 'no.jwt.here' }, INVALID, 'signed JWT'],
  ['a token response that is no JSON', { token: { body: '<html>' } }, INVALID, 'not valid'],
  ['an ID token without exp', { claims: { exp: undefined } }, INVALID, 'claim exp'],
  ['an expired ID token', { claims: { exp: now() - 3_600 } }, INVALID, 'has expired'],
  ['an ID token without iat', { claims: { iat: undefined } }, INVALID, 'claim iat'],
  ['an ID token of the future', { claims: { iat: now() + 3_600 } }, INVALID, 'in the future'],
  ['an ID token that is not valid yet', { claims: { nbf: now() + 3_600 } }, INVALID, 'claim nbf'],
  ['a foreign azp', { claims: { azp: 'another' } }, INVALID, 'claim azp'],
  [
    'a foreign azp among several audiences',
    { claims: { aud: ['muster', 'another'], azp: 'another' } },
    INVALID,
    'claim azp',
  ],
  [
    'several audiences without azp',
    { claims: { aud: ['muster', 'another'] } },
    INVALID,
    'several audiences',
  ],
  ['another audience', { claims: { aud: 'another' } }, INVALID, 'claim aud'],
  ['another iss', { claims: { iss: 'https://issuer.example' } }, INVALID, 'claim iss'],
  ['no iss', { claims: { iss: undefined } }, INVALID, 'claim iss'],
  ['another nonce', { claims: { nonce: 'another' } }, INVALID, 'claim nonce'],
  ['no nonce', { claims: { nonce: undefined } }, INVALID, 'claim nonce'],
  ['the at_hash of another token', { claims: { at_hash: 'AAAA' } }, INVALID, 'claim at_hash'],
  ['no sub', { claims: { sub: undefined } }, INVALID, 'claim sub'],
  ['a sub that is a number', { claims: { sub: 42 } }, INVALID, 'claim sub'],
  ['a sub that is a list', { claims: { sub: ['a'] } }, INVALID, 'claim sub'],
  ['an empty sub', { claims: { sub: '' } }, INVALID, 'claim sub'],
  ['a sub of 256 characters', { claims: { sub: 'a'.repeat(256) } }, INVALID, 'claim sub'],
  ['a sub with U+0000', { claims: { sub: 'a\u0000' } }, INVALID, 'claim sub'],
  [
    'a signature of another key',
    {
      makeIdToken: (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid: 'one' })
          .sign(foreign.privateKey),
    },
    INVALID,
    'signature',
  ],
  [
    'a key that the issuer does not publish',
    { makeIdToken: (claims) => issuer.sign(claims, { kid: 'two' }) },
    INVALID,
    'does not publish',
  ],
  [
    'no signature',
    { makeIdToken: async (claims) => new UnsecuredJWT(claims).encode() },
    INVALID,
    'algorithm',
  ],
  [
    'a MAC of the client secret',
    {
      makeIdToken: (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(CLIENT_SECRET)),
    },
    INVALID,
    'algorithm',
  ],
  [
    'a MAC of the public key',
    {
      makeIdToken: async (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .sign(new TextEncoder().encode(JSON.stringify(await exportPublicKey()))),
    },
    INVALID,
    'algorithm',
  ],
  [
    'an access token in the place of the ID token',
    { makeIdToken: (claims) => issuer.sign(claims, { typ: 'at+jwt' }) },
    INVALID,
    'access token',
  ],
  [
    'a userinfo response with another sub',
    { userInfo: { body: { ...verified('x@muster.example'), sub: 'another' } } },
    INVALID,
    'sub of the userinfo',
  ],
  [
    'a userinfo response without sub',
    { userInfo: { body: { email: 'x@muster.example', email_verified: true } } },
    INVALID,
    'userinfo endpoint is not valid',
  ],
  ['a userinfo response that is no JSON', { userInfo: { body: 'eyJh' } }, INVALID, 'userinfo'],
  ['a userinfo endpoint that refuses', { userInfo: { status: 401, body: {} } }, INVALID, '401'],
  [
    'another iss in the address',
    { query: { iss: 'https://other.example' } },
    INVALID,
    'configured',
  ],
  ['no code', { query: { code: null } }, INVALID, 'no code'],
  ['an e-mail address that is none', { claims: { email: 'nobody' } }, INVALID, 'e-mail'],
  ['an e-mail address with U+0000', { claims: { email: 'a\u0000@b.example' } }, INVALID, 'e-mail'],
  ['a Kelvin sign for a k', { claims: { email: '\u212a@muster.example' } }, INVALID, 'e-mail'],
  [
    'an e-mail address that is not verified',
    { claims: { email_verified: false } },
    'email_not_verified',
    'email_verified',
  ],
  [
    'an email_verified that is a string',
    { claims: { email_verified: 'true' } },
    'email_not_verified',
    'email_verified',
  ],
  [
    'an email_verified that is a number',
    { claims: { email_verified: 1 } },
    'email_not_verified',
    'email_verified',
  ],
  [
    'a code that the issuer does not take',
    { token: { status: 400, body: { error: 'invalid_grant' } } },
    'issuer_refused',
    '400 invalid_grant',
  ],
  [
    'an error, as when the person cancels',
    { query: { code: null, error: 'access_denied' } },
    'issuer_refused',
    'access_denied',
  ],
  [
    'an error that is no code',
    { query: { code: null, error: '<b>Call 555</b>' } },
    'issuer_refused',
    'The issuer answered an error.',
  ],
];

describe('an issuer that sends', () => {
  it.each(DEVIATIONS)(
    '%s opens no session: the page has the code and the audit trail the reason',
    async (_, deviation, code, reason) => {
      const { prisma } = service.database;
      const recorded = (await listAudit(service, 'auth.signInRefused')).length;
      const profile = verified(email);
      const end = await signInThroughIssuer(service, issuer, profile, deviation);
      expect([end.status, end.location]).toEqual([302, `/login?error=${code}`]);
      expect(end.me.status).toBe(403);
      const records = (await listAudit(service, 'auth.signInRefused')).slice(recorded);
      expect(records).toMatchObject([
        { accountId: 'anonymous', reason: expect.stringContaining(reason) },
      ]);
      expect(records[0]?.requestId).toBeTruthy();
      const stored = JSON.stringify(records);
      for (const secret of [ACCESS_TOKEN, 'eyJ', '<b>']) expect(stored).not.toContain(secret);
      expect(await prisma.accountLogin.count({ where: { userId: accountId } })).toBe(0);
      expect(await prisma.accountSession.count({ where: { userId: accountId } })).toBe(0);
    },
  );
});

it('the log has code and reason of a failed sign-in with its request id, and no token', async () => {
  const log = await startServiceProcess({
    ...issuer.env,
    DATABASE_URL: service.databaseUrl,
    LOG_LEVEL: 'trace',
    AUTH_JWT_SECRET: 'a signing secret of the tests of the issuer',
  });
  const deviation = { claims: { azp: 'another' } };
  const { back } = await signInThroughIssuer(log, issuer, verified(email), deviation);
  expect(await log.stop()).toBe(0);
  const text = log.readErrors();
  const requestId = back.headers.get('x-request-id');
  const [line = ''] = text
    .split('\n')
    .filter((each) => each.includes(`"request_id":"${requestId}"`) && each.includes('"request"'));
  expect(JSON.parse(line)).toMatchObject({
    error_code: INVALID,
    reason: 'The claim azp of the ID token names another client.',
    claim: 'azp',
  });
  const [code = ''] = issuer.grants.keys().toArray().slice(-1);
  for (const secret of [ACCESS_TOKEN, CLIENT_SECRET, code, 'eyJ'])
    expect(text).not.toContain(secret);
});

describe('an honest issuer may send', () => {
  it.each<[string, Deviation]>([
    ['several audiences, and us as azp', { claims: { aud: ['muster', 'api'], azp: 'muster' } }],
    ['a clock that is some seconds fast', { claims: { iat: now() + 10, nbf: now() + 10 } }],
  ])('%s', async (_, deviation) => {
    const person = await addPerson(service, 'viewer');
    const end = await signInThroughIssuer(service, issuer, verified(person.email), deviation);
    expect(end.location).toBe('/sessions');
  });

  it('the at_hash of the access token, and its own iss in the address', async () => {
    const person = await addPerson(service, 'viewer');
    const begun = await begin(service);
    const claims: Record<string, unknown> = {};
    const code = grant(issuer, begun, verified(person.email), { claims });
    claims.at_hash = halfHash(`${ACCESS_TOKEN} of ${code}`);
    const end = await readEnd(service, await comeBack(service, begun, { code, iss: issuer.url }));
    expect(end.location).toBe('/sessions');
  });
});

describe('a redirect from the issuer', () => {
  it('from another browser, a second time, or with another state asks the person to start again, and leaves no audit record', async () => {
    const { email: address } = await addPerson(service, 'viewer');
    const refusals = (await listAudit(service, 'auth.signInRefused')).length;
    const begun = await begin(service);
    const code = () => grant(issuer, begun, verified(address));
    const elsewhere = await comeBack(service, { ...begun, cookie: '' }, { code: code() });
    expect(readLocation(elsewhere)).toBe('/login?error=sign_in_expired');
    for (const state of [null, 'another', '']) {
      const other = await comeBack(service, begun, { code: code(), state });
      expect(readLocation(other)).toBe('/login?error=sign_in_expired');
    }
    const first = await comeBack(service, begun, { code: code() });
    expect(readLocation(first)).toBe('/sessions');
    const second = await comeBack(service, begun, { code: code() });
    expect(readLocation(second)).toBe('/login?error=sign_in_expired');
    // Anyone can cause this refusal without the issuer: it would fill the audit trail.
    expect(await listAudit(service, 'auth.signInRefused')).toHaveLength(refusals);
  });

  it('for an unknown or a disabled person leads to a page with that reason', async () => {
    const gone = await addPerson(service, 'editor', new Date());
    const known = await signInThroughIssuer(service, issuer, verified(gone.email));
    expect(known.location).toBe('/login?error=account_disabled');
    const stranger = await signInThroughIssuer(
      service,
      issuer,
      verified('stranger@muster.example'),
    );
    expect(stranger.location).toBe('/login?error=person_not_invited');
    const { prisma } = service.database;
    const where = { email: 'stranger@muster.example' };
    expect(await prisma.accountUser.count({ where })).toBe(0);
    expect(await prisma.accountLogin.count({ where: { userId: gone.accountId } })).toBe(0);
    const records = (await listAudit(service, 'auth.signInRefused')).slice(-2);
    expect(records).toMatchObject([
      {
        target: { account_id: gone.accountId },
        after: { issuer: issuer.url, subject: `sub of ${gone.email}` },
      },
      { target: {}, after: { subject: 'sub of stranger@muster.example' } },
    ]);
  });

  it.each(
    ['/token', '/keys', '/userinfo'].flatMap((path) => [
      { path, fault: 'fails' },
      { path, fault: 'sends more than 1 MiB' },
    ]),
  )(
    'while $path of the issuer $fault leads to a page with that reason',
    async ({ path, fault }) => {
      const own = await startTestIssuer();
      const other = await startTestService({ env: own.env });
      const { email: address } = await addPerson(other, 'viewer');
      const profile = verified(address);
      if (fault === 'fails') own.failing.set(path, 503);
      else own.flooding.add(path);
      const deviation = path === '/userinfo' ? { userInfo: { body: profile } } : {};
      const failed = await signInThroughIssuer(other, own, profile, deviation);
      expect([failed.status, failed.location]).toEqual([302, '/login?error=issuer_unavailable']);
      own.failing.clear();
      own.flooding.clear();
      const again = await signInThroughIssuer(other, own, profile, deviation);
      expect(again.location).toBe('/sessions');
      await other.close();
      await own.close();
    },
  );

  it('while the issuer is unreachable leads to a page with that reason', async () => {
    const own = await startTestIssuer();
    const other = await startTestService({ env: own.env });
    const begun = await begin(other);
    await own.close();
    const back = await comeBack(other, begun, { code: 'a-code' });
    expect(readLocation(back)).toBe('/login?error=issuer_unavailable');
    await other.close();
  });

  it('while the database is unavailable leads to a page with that reason', async () => {
    const other = await startTestService({ env: issuer.env });
    const begun = await begin(other);
    await other.database.close();
    const back = await comeBack(other, begun, { code: 'a-code' });
    expect([back.status, readLocation(back)]).toEqual([302, '/login?error=service_unavailable']);
    await other.close();
  });
});

describe('a sign-in does not begin where the configuration of the issuer', () => {
  it.each<[string, Record<string, unknown>]>([
    ['names another issuer', { issuer: 'https://issuer.example' }],
    ['names no issuer', { issuer: undefined }],
    ['has no token endpoint', { token_endpoint: undefined }],
    ['has no keys', { jwks_uri: undefined }],
  ])('%s', async (_, metadata) => {
    const own = await startTestIssuer();
    own.metadata = metadata;
    const other = await startTestService({ env: own.env });
    const start = () =>
      fetch(`${other.baseUrl}/admin/auth/sign-in/social`, {
        method: 'POST',
        headers: ORIGIN,
        body: '{}',
      });
    const answer = await start();
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { error_code: 'issuer_unavailable' },
    ]);
    own.metadata = {};
    expect((await start()).status).toBe(200);
    await other.close();
    await own.close();
  });
});
