// An OpenID Connect issuer on a socket: discovery, a page of its own, codes with PKCE, tokens with its own key.
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Profile = { sub: string; email: string; email_verified: boolean; name: string };

export type Issuer = {
  url: string;
  /** Whom the button of its page signs in. */
  profile: Profile | undefined;
  /** Claims of the ID token that differ from those of an honest issuer. */
  claims: object;
  /** True: it answers no request of the service. */
  isDown: boolean;
  stop(): Promise<unknown>;
};

const CLIENT = { id: 'muster', secret: 'a secret of the tests' };
const FORM = 'application/x-www-form-urlencoded';

/** The settings under which the service trusts it. */
export const toSettings = ({ url }: Issuer, publicUrl: string) => ({
  PUBLIC_URL: publicUrl,
  TRUST_PROXY: '0',
  OIDC_ISSUER: url,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
});

type Grant = { profile: Profile; nonce: string; challenge: string; redirectUri: string };

export const startIssuer = async (): Promise<Issuer> => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const grants = new Map<string, Grant>();
  const issuer: Issuer = {
    url: '',
    profile: undefined,
    claims: {},
    isDown: false,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  const signToken = (claims: object): string => {
    const header = { alg: 'RS256', kid: 'one', typ: 'JWT' };
    const now = Math.floor(Date.now() / 1000);
    const body = { iss: issuer.url, aud: CLIENT.id, iat: now, exp: now + 300, ...claims };
    const text = [header, body]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
  };

  /** RFC 6749 4.1.2: a link back to the service with a code. */
  const authorize = (asked: URLSearchParams): string => {
    const redirectUri = asked.get('redirect_uri') ?? '';
    const back = new URL(redirectUri);
    back.searchParams.set('state', asked.get('state') ?? '');
    if (issuer.profile) {
      const code = randomUUID();
      const nonce = asked.get('nonce') ?? '';
      const challenge = asked.get('code_challenge') ?? '';
      grants.set(code, { profile: issuer.profile, nonce, challenge, redirectUri });
      back.searchParams.set('code', code);
    } else back.searchParams.set('error', 'access_denied');
    return `<!doctype html><title>Studio</title><h1>Studio</h1><a href="${back.href.replaceAll('&', '&amp;')}">Continue</a>`;
  };

  /** A code works once, for the client that proves itself and knows the verifier (RFC 7636). */
  const exchange = (body: URLSearchParams, authorization: string | undefined) => {
    const grant = grants.get(body.get('code') ?? '');
    grants.delete(body.get('code') ?? '');
    const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`;
    const isClient = authorization === basic || body.get('client_secret') === CLIENT.secret;
    const verifier = createHash('sha256').update(body.get('code_verifier') ?? '');
    const isProven = grant?.challenge === verifier.digest('base64url');
    if (!grant || !isClient || !isProven || body.get('redirect_uri') !== grant.redirectUri) {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    const id_token = signToken({ ...grant.profile, nonce: grant.nonce, ...issuer.claims });
    const access_token = randomUUID();
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 300, id_token } };
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer.url);
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (pathname === '/.well-known/openid-configuration') send(200, describeIssuer(issuer.url));
    else if (pathname === '/keys') {
      const key = publicKey.export({ format: 'jwk' });
      send(200, { keys: [{ ...key, kid: 'one', alg: 'RS256', use: 'sig' }] });
    } else if (pathname === '/authorize') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(authorize(searchParams));
    } else if (pathname === '/token') {
      if (issuer.isDown) return send(503, {});
      const { status, body } = exchange(await readForm(request), request.headers.authorization);
      send(status, body);
    } else if (pathname === '/favicon.ico') response.writeHead(204).end();
    else send(404, {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return issuer;
};

const describeIssuer = (url: string) => ({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/keys`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  id_token_signing_alg_values_supported: ['RS256'],
});

const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  if (!request.headers['content-type']?.startsWith(FORM)) return new URLSearchParams();
  let text = '';
  for await (const chunk of request) text += chunk;
  return new URLSearchParams(text);
};
