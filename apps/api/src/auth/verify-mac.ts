// The short way in for tokens that the shared secret has signed. The library leaves a signature to WebCrypto, which hands each
// one to another thread and back: on a busy machine that costs a join more than all else about its token.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JWTClaimVerificationOptions, JWTVerifyResult } from 'jose';
import { decodeProtectedHeader, UnsecuredJWT } from 'jose';

/**
 * Header and claims of a token (RFC 7515 section 7.1) that says HS256, carries the HMAC SHA-256 of the secret (RFC 7518
 * section 3.2) and meets the rules. Undefined for every other token, whatever is wrong with it: that is for the library's
 * own check to find and to name.
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
    // What a header marks as critical is to be understood or refused (section 4.1.11): rare, and not for a short way.
    if (alg !== 'HS256' || 'crit' in header) return undefined;
    const { payload } = UnsecuredJWT.decode(`${NO_SIGNATURE}.${claims}.`, rules);
    return { payload, protectedHeader: { alg, ...header } };
  } catch {
    return undefined;
  }
};

/** Compared as texts, so that a MAC has one spelling only. */
const isMacOf = (signed: string, secret: string, signature: string): boolean => {
  const mac = Buffer.from(createHmac('sha256', secret).update(signed).digest('base64url'));
  const given = Buffer.from(signature);
  return mac.length === given.length && timingSafeEqual(mac, given);
};

/** The header of claims without a signature: theirs has been checked, and the library checks the rest as in any other token. */
const NO_SIGNATURE = Buffer.from('{"alg":"none"}').toString('base64url');
