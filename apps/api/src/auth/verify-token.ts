// Verifies a token: its signature, issuer, audience and times. A failure names the wrong part.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ErrorCode } from '@muster/contract';
import type {
  JWTClaimVerificationOptions,
  JWTPayload,
  JWTVerifyOptions,
  JWTVerifyResult,
} from 'jose';
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, UnsecuredJWT } from 'jose';
import type { Config } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { GetKey, IssuerKeys } from './issuer-keys.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import { invalidClaim } from './token-claims.ts';

/** The claims of a token that is signed by one of the keys and meets the rules. Throws the library's errors. */
export const verifyToken = async (
  token: string,
  { secret, getKey, getPreviousKey }: VerificationKeys,
  rules: JWTVerifyOptions,
): Promise<JWTPayload> => {
  const verified = secret === undefined ? undefined : verifyMac(token, secret, rules);
  if (verified) return readPayload(verified);
  try {
    return readPayload(await jwtVerify(token, getKey, rules));
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyWithAny(token, error, rules);
    if (getPreviousKey && error instanceof errors.JWSSignatureVerificationFailed) {
      return readPayload(await jwtVerify(token, getPreviousKey, rules));
    }
    throw error;
  }
};

/** A token without key id may be signed by any published key of its algorithm. */
const verifyWithAny = async (
  token: string,
  candidates: errors.JWKSMultipleMatchingKeys,
  rules: JWTVerifyOptions,
): Promise<JWTPayload> => {
  for await (const key of candidates) {
    try {
      return readPayload(await jwtVerify(token, key, rules));
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
};

/**
 * An issuer signs more than access tokens with its keys: logout tokens, proofs of possession, events. Their `typ` shows
 * this (RFC 8725 section 3.11), and they are refused. Access tokens have `at+jwt` (RFC 9068), `JWT`, or no type.
 */
const readPayload = ({ payload, protectedHeader }: JWTVerifyResult): JWTPayload => {
  const type = String(protectedHeader.typ ?? 'JWT').toLowerCase();
  const isOther = type.endsWith('+jwt') && type.replace(/^application\//, '') !== 'at+jwt';
  if (isOther) throw new errors.JWTInvalid('The token is of another type.');
  return payload;
};

/** One shared secret, or the published keys of an issuer. */
export type SigningKeys = Exclude<Config['auth']['keys'], { kind: 'local' }>;

/** `algorithms` is the complete list for each kind of key, so that a public key can never be used as a secret. */
type VerificationKeys = Pick<IssuerKeys, 'getKey'> & {
  algorithms: string[];
  /** The shared secret for `verifyMac`; absent with published keys. */
  secret?: string;
  getPreviousKey?: GetKey;
  /** Absent for a shared secret, which does not change. */
  refreshIfStale?: IssuerKeys['refreshIfStale'];
};

/** `onChange` is called when the issuer has published different keys. */
export const createVerificationKeys = (
  keys: SigningKeys,
  onChange: () => void,
): VerificationKeys =>
  keys.kind === 'secret'
    ? {
        algorithms: ['HS256'],
        secret: keys.secret,
        getKey: useSecret(keys.secret),
        ...(keys.previous !== undefined && { getPreviousKey: useSecret(keys.previous) }),
      }
    : {
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
        ...createIssuerKeys({ url: keys.url, onChange }),
      };

export const signingSecret = (secret: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(secret);

/** Imports the key once, not for each token. */
const useSecret = (secret: string): GetKey => {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = crypto.subtle.importKey('raw', signingSecret(secret), hmac, false, ['verify']);
  return () => key;
};

/**
 * The fast path for HS256. The library uses WebCrypto, which sends each signature to another thread and back: under
 * load that costs a join more than the rest of the token. Returns header and claims of a token (RFC 7515 section 7.1)
 * with the algorithm HS256 and a valid HMAC SHA-256 (RFC 7518 section 3.2). Returns undefined for every other token, so
 * that the library finds and names the fault.
 */
export const verifyMac = (
  token: string,
  secret: string,
  rules: JWTClaimVerificationOptions,
): JWTVerifyResult | undefined => {
  const [head, claims, signature = '', ...more] = token.split('.');
  if (more.length > 0 || !isMacOf(`${head}.${claims}`, secret, signature)) return undefined;
  try {
    const { alg, ...header } = decodeProtectedHeader(token);
    // Critical header parameters must be understood or refused (section 4.1.11). They are rare, so the library does it.
    if (alg !== 'HS256' || 'crit' in header) return undefined;
    const { payload } = UnsecuredJWT.decode(`${NO_SIGNATURE}.${claims}.`, rules);
    return { payload, protectedHeader: { alg, ...header } };
  } catch {
    return undefined;
  }
};

/** Compares the encoded texts: decoding would skip white space, and ignore the unused bits of the last character. */
const isMacOf = (signed: string, secret: string, signature: string): boolean => {
  const mac = Buffer.from(createHmac('sha256', secret).update(signed).digest('base64url'));
  const given = Buffer.from(signature);
  return mac.length === given.length && timingSafeEqual(mac, given);
};

/** Lets the library check only the claims, since the signature has been checked. */
const NO_SIGNATURE = Buffer.from('{"alg":"none"}').toString('base64url');

/** Maps an error of the JWT library to the catalogue. Every failure refuses the token, including unknown ones. */
export const toTokenError = (error: unknown, token: string): ServiceError => {
  if (error instanceof ServiceError) return error;
  const code = isReadable(token) ? findCode(error) : 'auth_token_format';
  if (error instanceof errors.JWTExpired) {
    return new ServiceError(code, { claim: error.claim, cause: error });
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return invalidClaim(error.claim, describeClaimFault(error), error);
  }
  return new ServiceError(code, { cause: error });
};

/** The messages of the library may contain values. The claims in its errors are those of the verification rules. */
const describeClaimFault = ({ claim, reason }: errors.JWTClaimValidationFailed): string => {
  if (reason === 'missing') return 'is missing';
  return (reason === 'check_failed' && EXPECTED[claim]) || 'is not a number of seconds since 1970';
};

/** What the library checks besides the times. */
const EXPECTED: Readonly<Record<string, string>> = {
  iss: 'is not AUTH_ISSUER',
  aud: 'does not name AUTH_AUDIENCE',
  nbf: 'is in the future',
};

/** An unreadable token is malformed, whatever its signature. */
const isReadable = (token: string): boolean => {
  try {
    decodeProtectedHeader(token);
    decodeJwt(token);
    return true;
  } catch {
    return false;
  }
};

const findCode = (error: unknown): ErrorCode =>
  (error instanceof errors.JOSEError && CODES[error.code]) || 'auth_token_sig_invalid';

const CODES: Record<string, ErrorCode> = {
  [errors.JWTExpired.code]: 'auth_token_expired',
  [errors.JWTClaimValidationFailed.code]: 'auth_token_invalid_claim',
  [errors.JWKSNoMatchingKey.code]: 'auth_token_unknown',
  [errors.JWSInvalid.code]: 'auth_token_format',
  [errors.JWTInvalid.code]: 'auth_token_format',
};
