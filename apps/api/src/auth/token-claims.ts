// Reads the caller from the claims of a verified token. A refusal names the claim and its fault for the log, without the value.
import { isStorable, Platform } from '@muster/contract';
import type { JWTPayload } from 'jose';
import { ServiceError } from '../platform/index.ts';
import type { Caller } from './permissions.ts';

export type ClaimNames = { permissionsClaims: readonly string[] };

/** The caller that the claims of a verified token describe. Throws `auth_token_invalid_claim` for a malformed claim. */
export const toCaller = (claims: JWTPayload, { permissionsClaims }: ClaimNames): Caller => {
  refuseEndless(claims);
  const platform = readPlatform(claims);
  const found = permissionsClaims.map((name) => readPermissions(claims, name));
  return {
    accountId: readSubject(claims.sub),
    permissions: found.flatMap((permissions) => permissions ?? []),
    ...(platform && { platform }),
    ...(found.every((permissions) => permissions === undefined) && {
      missingClaims: permissionsClaims,
    }),
  };
};

/** Names in a path such as `realm_access.roles`. */
const MAX_PATH = 5;

/**
 * The value of the claim with exactly this name. Without one, the name is a path with dots through objects, such as
 * `realm_access.roles`. Undefined when the token has neither, or when the path has more than five names.
 */
export const findClaim = (claims: JWTPayload, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  const path = name.split('.');
  if (path.length > MAX_PATH) return undefined;
  return path.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    claims,
  );
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The last second of the year 9999 (RFC 3339 knows no later one), in seconds since 1970. */
const LAST_SECOND = 253_402_300_799;

/** JSON can contain a number that parses as infinity, and a token must expire. */
const refuseEndless = ({ exp }: JWTPayload): void => {
  if (exp === undefined || !(exp <= LAST_SECOND)) {
    throw invalidClaim('exp', 'is not a time before the year 10000, in seconds since 1970');
  }
};

const MAX_SUBJECT_LENGTH = 256;

/** The subject is written to histories and audit records, which must be able to store it. */
const readSubject = (sub: unknown): string => {
  if (typeof sub !== 'string') throw invalidClaim('sub', 'is not a string');
  if (sub === '' || sub.length > MAX_SUBJECT_LENGTH || !isStorable(sub)) {
    throw invalidClaim('sub', `is not a string of 1 to ${MAX_SUBJECT_LENGTH} characters`);
  }
  return sub;
};

/**
 * The platform that the issuer confirms; undefined without the claim. A token with an invalid claim is refused:
 * treating it as absent would let the body of the request, and so the client, choose the platform.
 */
const readPlatform = (claims: JWTPayload): Platform | undefined => {
  if (!Object.hasOwn(claims, 'platform')) return undefined;
  const platform = Platform.safeParse(claims.platform);
  if (!platform.success) {
    throw invalidClaim('platform', `is not one of: ${Platform.options.join(', ')}`);
  }
  return platform.data;
};

/** A list of strings, or one string with spaces between the names (RFC 8693 section 4.2). Undefined without the claim. */
const readPermissions = (claims: JWTPayload, claim: string): string[] | undefined => {
  const value = findClaim(claims, claim);
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value.split(' ').filter((name) => name !== '');
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value;
  throw invalidClaim(claim, 'is neither an array of strings nor a string');
};

/** `fault` ends a sentence for the log that begins with the claim. The response has the sentence of the code. */
export const invalidClaim = (claim: string, fault: string, cause?: unknown): ServiceError =>
  new ServiceError('auth_token_invalid_claim', {
    claim,
    reason: `The claim ${claim} ${fault}.`,
    cause,
  });
