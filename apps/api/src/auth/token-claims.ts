// What the claims of a verified token say about its bearer.
import { isStorable, Platform } from '@muster/contract';
import type { JWTPayload } from 'jose';
import { ServiceError } from '../errors/service-error.ts';
import type { Caller } from './caller.ts';

export type ClaimNames = { permissionsClaim: string; scopeClaim: string };

/** Throws `auth_token_invalid_claim` when a claim has not the form that it must have. */
export const readCaller = (claims: JWTPayload, names: ClaimNames): Caller => {
  refuseEndless(claims);
  const platform = Platform.safeParse(claims.platform);
  return {
    accountId: readSubject(claims.sub),
    permissions: [
      ...readNames(claims, names.permissionsClaim),
      ...readNames(claims, names.scopeClaim),
    ],
    ...(platform.success && { platform: platform.data }),
  };
};

/** The last second of the year 9999 (RFC 3339 knows no later one), in seconds since 1970. */
const LAST_SECOND = 253_402_300_799;

/** JSON can write a number that reads as infinity, and a token that never ends is none. */
const refuseEndless = ({ exp }: JWTPayload): void => {
  if (exp === undefined || !(exp <= LAST_SECOND)) {
    throw invalidClaim('exp', 'must be a time before the year 10000, in seconds since 1970');
  }
};

const MAX_SUBJECT_LENGTH = 256;

/** The subject is written into histories and audit records, so it must be something that they can hold. */
const readSubject = (sub: unknown): string => {
  const usable =
    typeof sub === 'string' && sub !== '' && sub.length <= MAX_SUBJECT_LENGTH && isStorable(sub);
  if (!usable)
    throw invalidClaim('sub', `must be a string of 1 to ${MAX_SUBJECT_LENGTH} characters`);
  return sub;
};

/** A list of strings, or one string with spaces between the names (RFC 8693 section 4.2). */
const readNames = (claims: JWTPayload, claim: string): string[] => {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (value === undefined) return [];
  if (typeof value === 'string') return value.split(' ').filter((name) => name !== '');
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value;
  throw invalidClaim(claim, 'must be a list of strings or one string with spaces');
};

const invalidClaim = (claim: string, rule: string): ServiceError =>
  new ServiceError('auth_token_invalid_claim', { desc: `The claim ${claim} ${rule}.` });
