// The OpenID Connect issuer: discovery, the authorization request, and the verified identity behind an authorization code.
import { createHash } from 'node:crypto';
import { newName } from '@muster/contract';
import { createRemoteJWKSet, customFetch } from 'jose';
import { z } from 'zod';
import { memoize } from '../flow/index.ts';
import type { OidcConfig } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import { refuseResponse, verifyIdToken } from './id-token.ts';

/** A person at the issuer. Everything but the name is verified. */
export type Identity = {
  issuer: string;
  /** Identifies the account at the issuer, which never gives it to another account. */
  subject: string;
  /** Lower case. */
  email: string;
  /** What the issuer calls the person, or the local part of the e-mail address. */
  name: string;
};

/** The values that tie the response of the issuer to one sign-in. */
type SignInRequest = { state: string; nonce: string; codeVerifier: string };

export type OidcIssuer = {
  /** The page of the issuer that the browser opens. */
  createAuthorizationUrl: (request: SignInRequest) => string;
  /**
   * Redeems the query of the redirect from the issuer for an identity. Errors: `issuer_refused`, `issuer_unavailable`,
   * `issuer_response_invalid`, `email_not_verified`.
   */
  redeem: (
    query: URLSearchParams,
    request: Pick<SignInRequest, 'nonce' | 'codeVerifier'>,
  ) => Promise<Identity>;
};

/** Of each request to the issuer. A sign-in makes up to four. */
const TIMEOUT_MS = 5_000;

/** OpenID Connect Discovery 1.0, section 3. */
const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().nullish(),
  id_token_signing_alg_values_supported: z.array(z.string()).nullish(),
  authorization_response_iss_parameter_supported: z.boolean().nullish(),
});
type Metadata = z.infer<typeof Metadata>;

/**
 * Fetches the configuration of the issuer, and keeps the first valid one. Throws `issuer_unavailable` if the response is not
 * valid; the next call tries again.
 */
export const createOidcDiscovery = (
  config: OidcConfig,
  redirectUri: string,
): (() => Promise<OidcIssuer>) =>
  memoize(async () => {
    const issuer = withoutSlash(config.issuer.href);
    const url = `${issuer}/.well-known/openid-configuration`;
    const { status, body } = await ask(url);
    const { data: metadata } = Metadata.safeParse(body);
    if (status !== 200 || !metadata) {
      throw unavailable(`The issuer answered the request for its configuration with ${status}.`);
    }
    // Section 4.3: a server must not act for another issuer.
    if (withoutSlash(metadata.issuer) !== issuer) {
      throw unavailable('The configuration of the issuer names another issuer.');
    }
    if (config.issuer.protocol === 'https:' && listEndpoints(metadata).some(isUnprotected)) {
      throw unavailable('The configuration of the issuer names an endpoint without https.');
    }
    return createIssuer(config, metadata, redirectUri);
  });

/** Those that receive the client secret or a token, or that decide which tokens are valid. */
const listEndpoints = (metadata: Metadata): string[] => [
  metadata.authorization_endpoint,
  metadata.token_endpoint,
  metadata.jwks_uri,
  ...(metadata.userinfo_endpoint ? [metadata.userinfo_endpoint] : []),
];

const isUnprotected = (url: string): boolean => new URL(url).protocol !== 'https:';

/** A normalised OIDC_ISSUER may end in a slash where the issuer writes none. */
const withoutSlash = (url: string): string => url.replace(/\/$/, '');

const createIssuer = (
  { clientId, clientSecret }: OidcConfig,
  metadata: Metadata,
  redirectUri: string,
): OidcIssuer => {
  // A withdrawn key is accepted for ten minutes at most. An unknown key id causes a fetch at once.
  const getKey = createRemoteJWKSet(new URL(metadata.jwks_uri), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: 0,
    [customFetch]: fetchLimited,
  });

  const exchange = async (code: string, codeVerifier: string) => {
    const { status, body } = await ask(metadata.token_endpoint, {
      method: 'POST',
      redirect: 'error',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        code_verifier: codeVerifier,
        redirect_uri: redirectUri,
        client_id: clientId,
        client_secret: clientSecret,
      }),
    });
    if (status !== 200)
      throw refused(`The token endpoint answered ${status}${readErrorCode(body)}.`);
    const { data: tokens } = Tokens.safeParse(body);
    if (!tokens) throw refuseResponse('The response of the token endpoint is not valid.');
    const { id_token: idToken, access_token: accessToken } = tokens;
    if (!idToken) throw refuseResponse('The response of the token endpoint has no ID token.');
    return { idToken, accessToken };
  };

  /** Section 5.3.2: a response about another subject than that of the ID token must not be used. */
  const readUserInfo = async (url: string, accessToken: string, subject: string) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    const { status, body } = await ask(url, { redirect: 'error', headers });
    if (status !== 200) throw refuseResponse(`The userinfo endpoint answered ${status}.`);
    const { data: claims } = UserInfo.safeParse(body);
    if (!claims) throw refuseResponse('The response of the userinfo endpoint is not valid.');
    if (claims.sub === subject) return claims;
    throw refuseResponse('The claim sub of the userinfo response is not that of the ID token.');
  };

  return {
    createAuthorizationUrl: ({ state, nonce, codeVerifier }) => {
      const url = new URL(metadata.authorization_endpoint);
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },

    redeem: async (query, { nonce, codeVerifier }) => {
      refuseOtherIssuer(query, metadata);
      const error = query.get('error');
      if (error !== null) {
        throw refused(`The issuer answered${readErrorCode({ error }) || ' an error'}.`);
      }
      const code = query.get('code');
      if (!code) throw refuseResponse('The issuer sent no code.');
      const { idToken, accessToken } = await exchange(code, codeVerifier);
      const claims = await verifyIdToken(idToken, getKey, {
        issuer: metadata.issuer,
        clientId,
        algorithms: metadata.id_token_signing_alg_values_supported ?? undefined,
        nonce,
        accessToken,
      });
      // Both claims come from one source: `email_verified` of one response says nothing about the address of another.
      const hasEmail = claims.email !== undefined && claims.email_verified !== undefined;
      const userInfoUrl = hasEmail ? undefined : metadata.userinfo_endpoint;
      const profile = userInfoUrl
        ? await readUserInfo(userInfoUrl, accessToken, claims.sub)
        : claims;
      const email = readEmail(profile);
      const name = chooseName(claims.name ?? profile.name, email);
      return { issuer: metadata.issuer, subject: claims.sub, email, name };
    },
  };
};

const Tokens = z.object({ access_token: z.string().min(1), id_token: z.string().nullish() });
const UserInfo = z.looseObject({ sub: z.string() });

/** RFC 9207 protects against the response of another issuer. */
const refuseOtherIssuer = (query: URLSearchParams, metadata: Metadata): void => {
  const named = query.get('iss');
  const isRequired = metadata.authorization_response_iss_parameter_supported === true;
  if (named === null ? !isRequired : named === metadata.issuer) return;
  throw refuseResponse('The authorization response does not come from the configured issuer.');
};

/** Validated before it becomes lower case: U+212A KELVIN SIGN becomes the letter k. */
const Email = z.string().max(254).pipe(z.email().toLowerCase());

/** Throws `email_not_verified` also where the claim is missing. */
const readEmail = (profile: Record<string, unknown>): string => {
  const { email, email_verified: isVerified } = profile;
  const { data } = Email.safeParse(email);
  if (!data) throw refuseResponse('The issuer gave no valid e-mail address.');
  // The claim is a boolean (section 5.1). Accepting strings would make "false" true.
  if (isVerified === true) return data;
  throw new ServiceError('email_not_verified', {
    reason: 'The claim email_verified is not true.',
    claim: 'email_verified',
  });
};

const MAX_NAME_LENGTH = 128;
/** Longer ones are cut. */
const Name = newName(Number.MAX_SAFE_INTEGER);

const chooseName = (name: unknown, email: string): string => {
  const usable = Name.safeParse(name).data ?? email.split('@')[0] ?? email;
  return [...usable].slice(0, MAX_NAME_LENGTH).join('').trim();
};

const refused = (reason: string): ServiceError => new ServiceError('issuer_refused', { reason });

const unavailable = (reason: string, cause?: unknown): ServiceError =>
  new ServiceError('issuer_unavailable', { reason, cause: new Error(reason, { cause }) });

/** The error code of RFC 6749, section 5.2, after a space. Anyone can write other text into an address. */
const readErrorCode = (body: unknown): string => {
  const { data } = z.object({ error: z.string().regex(/^[a-z_]{1,64}$/) }).safeParse(body);
  return data ? ` ${data.error}` : '';
};

/** The body is undefined where it is not JSON. Throws `issuer_unavailable` without a response, and for a status of 500 and above. */
const ask = async (
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown }> => {
  const { headers, ...rest } = init;
  try {
    const response = await fetchLimited(url, {
      ...rest,
      headers: { accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (response.status >= 500) throw unavailable(`The issuer answered ${response.status}.`);
    return { status: response.status, body: parseJson(text) };
  } catch (error) {
    throw error instanceof ServiceError ? error : unavailable('The issuer did not answer.', error);
  }
};

const MAX_RESPONSE_BYTES = 1_048_576;

/** Reading the body fails beyond 1 MiB, so that no response of the issuer uses up the memory. */
const fetchLimited = async (url: string, init: RequestInit): Promise<Response> => {
  const { body, status } = await fetch(url, init);
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (bytes <= MAX_RESPONSE_BYTES) controller.enqueue(chunk);
      else controller.error(unavailable('The response of the issuer is larger than 1 MiB.'));
    },
  });
  return new Response(body?.pipeThrough(limit) ?? null, { status });
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
