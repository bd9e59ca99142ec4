// Verifies an ID token by the rules of OpenID Connect Core 1.0, section 3.1.3.7.
import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { decodeProtectedHeader, errors } from 'jose';
import { ServiceError } from '../platform/index.ts';
import type { GetKey } from './issuer-keys.ts';
import { verifyToken } from './verify-token.ts';

type IdTokenRules = {
  /** As the discovery document spells it. */
  issuer: string;
  clientId: string;
  /** The algorithms that the issuer announces; absent: any of `ALGORITHMS`. */
  algorithms?: readonly string[] | undefined;
  /** The nonce of the authorization request. */
  nonce: string;
  /** The access token that came with the ID token. */
  accessToken: string;
};

/** Only asymmetric algorithms: with HMAC, everyone who knows the client secret could make an ID token. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** How far the clocks of issuer and service may differ. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** Section 2 allows 255 ASCII characters. Control characters are refused, since people read the subject. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** `reason` is a sentence without any value of the response. */
export const refuseResponse = (reason: string, claim?: string): ServiceError =>
  new ServiceError('issuer_response_invalid', { reason, ...(claim && { claim }) });

/**
 * The claims of a valid ID token. Throws `issuer_response_invalid`, and `issuer_unavailable` where the keys of the issuer
 * cannot be read.
 */
export const verifyIdToken = async (
  token: string,
  getKey: GetKey,
  rules: IdTokenRules,
): Promise<JWTPayload & { sub: string }> => {
  const { issuer, clientId, algorithms = ALGORITHMS } = rules;
  const usable = ALGORITHMS.filter((name) => algorithms.includes(name));
  const claims = await verifyToken(
    token,
    { algorithms: usable, getKey: reportOutage(getKey) },
    {
      algorithms: usable,
      issuer,
      audience: clientId,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
    },
  ).catch((error: unknown) => {
    throw error instanceof ServiceError ? error : toRefusal(error);
  });
  const { alg = '', typ } = decodeProtectedHeader(token);
  // An access token (RFC 9068) may have the same issuer, audience and subject.
  if (/^(?:application\/)?at\+jwt$/i.test(typ ?? '')) {
    throw refuseResponse('The ID token is an access token.');
  }
  const { sub } = claims;
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) {
    throw refuseResponse('The claim sub of the ID token is not 1 to 255 ASCII characters.', 'sub');
  }
  refuseForeignClient(claims, clientId);
  refuseFutureToken(claims);
  if (claims.nonce !== rules.nonce) {
    throw refuseResponse('The claim nonce of the ID token is not that of this sign-in.', 'nonce');
  }
  refuseOtherAccessToken(alg, claims, rules.accessToken);
  return { ...claims, sub };
};

/** A failure to fetch the keys is an outage of the issuer, not a fault of the token. */
const reportOutage =
  (getKey: GetKey): GetKey =>
  async (header, token) => {
    try {
      return await getKey(header, token);
    } catch (error) {
      const isAboutToken =
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys;
      if (isAboutToken) throw error;
      throw new ServiceError('issuer_unavailable', { cause: error });
    }
  };

/** Messages of the library may contain values of the token. The claim names in its errors are fixed. */
const toRefusal = (error: unknown): ServiceError => {
  if (error instanceof errors.JWTExpired) return refuseResponse('The ID token has expired.', 'exp');
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim } = error;
    return refuseResponse(
      `The claim ${claim} of the ID token is missing or not acceptable.`,
      claim,
    );
  }
  const code = error instanceof errors.JOSEError ? error.code : '';
  return refuseResponse(PROBLEMS[code] ?? UNREADABLE);
};

const UNREADABLE = 'The ID token is not a signed JWT.';
const PROBLEMS: Record<string, string> = {
  [errors.JOSEAlgNotAllowed.code]: 'The ID token is signed with an algorithm that is not allowed.',
  [errors.JWSSignatureVerificationFailed.code]: 'The signature of the ID token is not valid.',
  [errors.JWKSNoMatchingKey.code]:
    'The ID token is signed with a key that the issuer does not publish.',
};

/** `azp` names the client that the token was issued to. Only `azp` does so when there are several audiences. */
const refuseForeignClient = ({ aud, azp }: JWTPayload, clientId: string): void => {
  const isForOthersToo = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined && isForOthersToo) {
    throw refuseResponse('The ID token has several audiences and no claim azp.', 'azp');
  }
  if (azp !== undefined && azp !== clientId) {
    throw refuseResponse('The claim azp of the ID token names another client.', 'azp');
  }
};

const refuseFutureToken = ({ iat = 0 }: JWTPayload): void => {
  if (iat <= Date.now() / 1_000 + CLOCK_TOLERANCE_SECONDS) return;
  throw refuseResponse('The claim iat of the ID token is in the future.', 'iat');
};

/** Section 3.1.3.6: the optional claim proves that both tokens were issued together. */
const refuseOtherAccessToken = (alg: string, claims: JWTPayload, accessToken: string): void => {
  const expected = claims.at_hash;
  if (expected === undefined) return;
  // EdDSA and Ed25519 name no hash function: they use SHA-512.
  const bits = /^(?:RS|PS|ES)(\d{3})$/.exec(alg)?.[1] ?? '512';
  const digest = createHash(`sha${bits}`).update(accessToken).digest();
  if (digest.subarray(0, digest.length / 2).toString('base64url') === expected) return;
  throw refuseResponse(
    'The claim at_hash of the ID token belongs to another access token.',
    'at_hash',
  );
};
