import type { JWTPayload, JWTVerifyOptions } from 'jose';
import { errors, jwtVerify } from 'jose';
import type { VerificationKeys } from './verification-keys.ts';

/** The claims of a token that is signed by one of the keys and meets the rules. Throws the library's errors. */
export const verifyToken = async (
  token: string,
  getKey: VerificationKeys['getKey'],
  rules: JWTVerifyOptions,
): Promise<JWTPayload> => {
  try {
    return (await jwtVerify(token, getKey, rules)).payload;
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyWithAny(token, error, rules);
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
      return (await jwtVerify(token, key, rules)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
};
