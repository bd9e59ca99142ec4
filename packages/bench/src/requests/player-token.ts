// Signs the token of one player: HS256 (RFC 7515), written here because 100,000 are signed before a round.
import { createHmac } from 'node:crypto';

const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

export type TokenClaims = { sub: string; permissions: readonly string[] };

export const signToken = (claims: TokenClaims, secret: string, expiresAt: number): string => {
  const payload = Buffer.from(JSON.stringify({ ...claims, exp: expiresAt })).toString('base64url');
  const signed = `${HEADER}.${payload}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
};

/** The permission that every game client has, and the only one that the players of the benchmark have. */
export const signPlayerToken = (playerUuid: string, secret: string, expiresAt: number): string =>
  signToken({ sub: playerUuid, permissions: ['session:update-player:self'] }, secret, expiresAt);
