// An OpenID Connect issuer on a socket, with its own key. A test can make each of its responses wrong.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWTPayload } from 'jose';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createAdminCaller } from '../../../test/admin-caller.ts';
import { noteSecrets } from '../../../test/suite-logs/suite-logs.ts';
import type { TestService } from '../../../test/test-service.ts';
import { readCookies, startTestService } from '../../../test/test-service.ts';

export const PUBLIC_URL = 'http://localhost:3000';
export const ORIGIN = { 'content-type': 'application/json', origin: PUBLIC_URL };

type Served = Pick<TestService, 'baseUrl'>;

export type Profile = { sub: string; email: string; email_verified: boolean; name?: string };

export const verified = (email: string): Profile => ({
  sub: `sub of ${email}`,
  email,
  email_verified: true,
  name: 'From the issuer',
});

type Answer = { status?: number; body: unknown };

/** How the issuer differs from an honest one during one sign-in. Undefined claims are left out. */
export type Deviation = {
  claims?: JWTPayload | Record<string, unknown>;
  /** Replaces the ID token. */
  makeIdToken?: (claims: JWTPayload) => Promise<string | undefined>;
  token?: Answer;
  /** The response of the userinfo endpoint. The ID token then has no profile. */
  userInfo?: Answer;
  /** Parameters of the redirect from the issuer besides code and state; null removes one. */
  query?: Record<string, string | null>;
};

type Grant = { profile: Profile | Record<string, unknown>; nonce: string; deviation: Deviation };

export type TestIssuer = {
  /** The settings of a service that trusts the issuer. */
  env: Record<string, string>;
  url: string;
  /** Signs claims as the issuer does. */
  sign: (claims: JWTPayload, header?: Record<string, unknown>) => Promise<string>;
  /** Members of the discovery document that differ. */
  metadata: Record<string, unknown>;
  /** The status of endpoints that fail, by path. */
  failing: Map<string, number>;
  /** Endpoints whose response is larger than the service reads, by path. */
  flooding: Set<string>;
  grants: Map<string, Grant>;
  close: () => Promise<unknown>;
};

const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });

export const exportPublicKey = () => exportJWK(publicKey);

export const startTestIssuer = async (): Promise<TestIssuer> => {
  const server = createServer((request, response) => void answer(issuer, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: TestIssuer = {
    env: {
      PUBLIC_URL,
      TRUST_PROXY: '0',
      OIDC_ISSUER: url,
      OIDC_CLIENT_ID: 'muster',
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
    },
    url,
    sign: (claims, header) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
        .sign(privateKey),
    metadata: {},
    failing: new Map(),
    flooding: new Set(),
    grants: new Map(),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return issuer;
};

/**
 * For all tests of a file: an issuer, and a service that trusts it. `use` runs before the first test. The attempts of one test do
 * not limit the next one.
 */
export const serveIssuer = (
  use: (served: { issuer: TestIssuer; service: TestService }) => unknown,
): void => {
  let issuer: TestIssuer;
  let service: TestService;
  beforeAll(async () => {
    issuer = await startTestIssuer();
    service = await startTestService({ env: issuer.env });
    await use({ issuer, service });
  });
  beforeEach(() => service.database.prisma.accountThrottle.deleteMany());
  afterAll(async () => {
    await service.close();
    await issuer.close();
  });
};

export const CLIENT_SECRET = 'the secret of the client at the issuer';
export const ACCESS_TOKEN = 'access-token-of-the-issuer';
noteSecrets(ACCESS_TOKEN, CLIENT_SECRET);

const answer = async (issuer: TestIssuer, request: IncomingMessage, response: ServerResponse) => {
  const path = request.url ?? '';
  const failure = issuer.failing.get(path);
  const { status = 200, body } = failure
    ? { status: failure, body: {} }
    : await readAnswer(issuer, path, request);
  response.writeHead(status, { 'content-type': 'application/json' });
  const padding = issuer.flooding.has(path) ? ' '.repeat(1_048_576) : '';
  response.end(typeof body === 'string' ? body : JSON.stringify(body) + padding);
};

const readAnswer = async (
  issuer: TestIssuer,
  path: string,
  request: IncomingMessage,
): Promise<Answer> => {
  const { url, metadata } = issuer;
  if (path === '/.well-known/openid-configuration') {
    return {
      body: {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/userinfo`,
        jwks_uri: `${url}/keys`,
        id_token_signing_alg_values_supported: ['RS256'],
        ...metadata,
      },
    };
  }
  if (path === '/keys') {
    return { body: { keys: [{ ...(await exportPublicKey()), kid: 'one', alg: 'RS256' }] } };
  }
  if (path === '/token') return answerToken(issuer, await readForm(request));
  if (path === '/userinfo') {
    const code = request.headers.authorization?.split(' of ')[1] ?? '';
    return issuer.grants.get(code)?.deviation.userInfo ?? { status: 404, body: {} };
  }
  return { status: 404, body: {} };
};

const answerToken = async (issuer: TestIssuer, form: URLSearchParams): Promise<Answer> => {
  const code = form.get('code') ?? '';
  const grant = issuer.grants.get(code);
  if (!grant || form.get('client_secret') !== CLIENT_SECRET) {
    return { status: 400, body: { error: 'invalid_grant' } };
  }
  const { deviation, nonce, profile } = grant;
  if (deviation.token) return deviation.token;
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: issuer.url,
    aud: 'muster',
    iat: now,
    exp: now + 300,
    nonce,
    ...(deviation.userInfo ? { sub: profile.sub as string } : profile),
    ...deviation.claims,
  };
  const idToken = await (deviation.makeIdToken ?? issuer.sign)(claims);
  noteSecrets(idToken);
  return {
    body: {
      access_token: `${ACCESS_TOKEN} of ${code}`,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: idToken,
    },
  };
};

const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return new URLSearchParams(text);
};

/** A browser that was redirected to the issuer. */
export type Begun = { answer: Response; authorizationUrl: URL; cookie: string };

export const begin = async (service: Served, callbackURL = '/sessions'): Promise<Begun> => {
  const answer = await fetch(`${service.baseUrl}/admin/auth/sign-in/social`, {
    method: 'POST',
    headers: ORIGIN,
    body: JSON.stringify({ callbackURL }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The sign-in began with ${answer.status}: ${text}`);
  const { url } = JSON.parse(text) as { url: string };
  return { answer, authorizationUrl: new URL(url), cookie: readCookies(answer) };
};

/** The authorization code for this person. */
export const grant = (
  issuer: TestIssuer,
  { authorizationUrl }: Begun,
  profile: Grant['profile'],
  deviation: Deviation = {},
): string => {
  const code = crypto.randomUUID();
  const nonce = authorizationUrl.searchParams.get('nonce') ?? '';
  issuer.grants.set(code, { profile, nonce, deviation });
  return code;
};

/** The response to the redirect from the issuer. */
export const comeBack = (
  service: Served,
  { authorizationUrl, cookie }: Begun,
  query: Record<string, string | null>,
): Promise<Response> => {
  const state = authorizationUrl.searchParams.get('state') ?? '';
  const sent = Object.entries({ state, ...query }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return fetch(`${service.baseUrl}/admin/auth/callback/oidc?${new URLSearchParams(sent)}`, {
    headers: { cookie },
    redirect: 'manual',
  });
};

/** The location of a response, without the request id that each error page has. */
export const readLocation = (back: Response): string => {
  const id = back.headers.get('x-request-id');
  return back.headers.get('location')?.replace(`&request_id=${id}`, '') ?? '';
};

/** The page that the browser opens next, and the person who is signed in there. */
export const readEnd = async (service: Served, back: Response) => {
  const me = await createAdminCaller(service.baseUrl, { cookie: readCookies(back) }).query<{
    account_id: string;
    role: string;
    name: string;
  }>('me.get');
  return { status: back.status, location: readLocation(back), me, back };
};

/** One sign-in, from the button to the page that the browser opens last. */
export const signInThroughIssuer = async (
  service: Served,
  issuer: TestIssuer,
  profile: Grant['profile'],
  deviation: Deviation = {},
) => {
  const begun = await begin(service);
  const code = grant(issuer, begun, profile, deviation);
  return readEnd(service, await comeBack(service, begun, { code, ...deviation.query }));
};

/** A person without a password. */
export const addPerson = async (
  { database }: Pick<TestService, 'database'>,
  role: string,
  disabledAt?: Date,
): Promise<{ accountId: string; email: string }> => {
  const accountId = crypto.randomUUID();
  const email = `${accountId.slice(0, 8)}@muster.example`;
  await database.prisma.accountUser.create({
    data: { id: accountId, name: role, email, role, ...(disabledAt && { disabledAt }) },
  });
  return { accountId, email };
};

export const listAudit = ({ database }: TestService, action: string) =>
  database.prisma.auditRecord.findMany({ where: { action }, orderBy: { auditId: 'asc' } });
