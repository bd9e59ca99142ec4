import type { JWTPayload, JWTVerifyOptions, JWTVerifyResult } from 'jose';
import { errors, jwtVerify } from 'jose';
import type { VerificationKeys } from './verification-keys.ts';
import { verifyMac } from './verify-mac.ts';

/** The claims of a token that is signed by one of the keys and meets the rules. Throws the library's errors. */
export const verifyToken = async (
  token: string,
  { secret, getKey, getPreviousKey }: Omit<VerificationKeys, 'algorithms' | 'keepFresh'>,
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
 * An issuer signs more than access tokens with its keys: logout tokens, proofs of possession, events. Those say so in `typ`
 * (RFC 8725 section 3.11), and are no credential here. Access tokens say `at+jwt` (RFC 9068), `JWT`, or nothing.
 */
const readPayload = ({ payload, protectedHeader }: JWTVerifyResult): JWTPayload => {
  const type = String(protectedHeader.typ ?? 'JWT').toLowerCase();
  const isOther = type.endsWith('+jwt') && type.replace(/^application\//, '') !== 'at+jwt';
  if (isOther) throw new errors.JWTInvalid('The token is of another type.');
  return payload;
};
