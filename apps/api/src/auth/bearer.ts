// Reads the Authorization header (RFC 6750 section 2.1) and tells kinds of credential apart by their look.
import { ServiceError } from '../errors/service-error.ts';

/** API keys begin so; a JWT never does, since base64url of `{"` begins with `ey`. */
const API_KEY_PREFIX = 'msk_';

/** Longer tokens are refused before anything is decoded. Issuers stay far below, since proxies cut at 8 KiB. */
const MAX_TOKEN_LENGTH = 16_384;

export type BearerCredential = { kind: 'token'; token: string } | { kind: 'key'; key: string };

/** The JWT or the API key of the header. Throws ServiceError when there is none. */
export const readBearerCredential = (authorization: string | undefined): BearerCredential => {
  const credential = /^bearer +(\S.*)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (credential === undefined) throw new ServiceError('auth_missing');
  if (credential.startsWith(API_KEY_PREFIX)) return { kind: 'key', key: credential };
  if (!hasThreeParts(credential)) throw new ServiceError('auth_not_jwt');
  if (credential.length > MAX_TOKEN_LENGTH) throw new ServiceError('auth_token_format');
  return { kind: 'token', token: credential };
};

/** The third part of an unsigned token is empty, and it has three parts all the same. */
const hasThreeParts = (credential: string): boolean => credential.split('.', 4).length === 3;
