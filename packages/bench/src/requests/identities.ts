// Ids of players and sessions by number, computed here exactly as in the SQL that makes the data.
import { createHash, createHmac } from 'node:crypto';
import type { ServerProcess } from '../start-server.ts';

/**
 * A UUID of version 4 made of a text, spread like random ones, so that indexes are hit where they would be in earnest. Some
 * peers refuse ids of no version.
 */
export const uuidOf = (text: string): string => {
  const hex = createHash('md5').update(text).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
};

/** The same in SQL; `text` is an expression. */
export const UUID_SQL = (text: string): string =>
  `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`;

export const playerUuidOf = (player: number): string => uuidOf(`player:${player}`);

export const PLAYER_UUID_SQL = (player: string): string => UUID_SQL(`'player:' || ${player}`);

/** Standard base64 with its `+`, `/` and `=`, as platforms hand it out. */
export const platformSessionIdOf = (session: number | string): string =>
  createHash('sha256').update(`platform-session:${session}`).digest('base64');

export const PLATFORM_SESSION_ID_SQL = (session: string): string =>
  `encode(sha256(convert_to('platform-session:' || ${session}, 'UTF8')), 'base64')`;

// Signs the token of one player: HS256 (RFC 7515), written here because 100,000 are signed before a round.

const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

type TokenClaims = { sub: string; permissions: readonly string[] };

export const signToken = (claims: TokenClaims, secret: string, expiresAt: number): string => {
  const payload = Buffer.from(JSON.stringify({ ...claims, exp: expiresAt })).toString('base64url');
  const signed = `${HEADER}.${payload}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
};

/** The permission that every game client has, and the only one that the players of the benchmark have. */
export const signPlayerToken = (playerUuid: string, secret: string, expiresAt: number): string =>
  signToken({ sub: playerUuid, permissions: ['session:update-player:self'] }, secret, expiresAt);

type Signer = { secret: string; expiresAt: number };

/** Calls a mutation of the admin API with every permission, and answers its data. */
export const callAdmin = async <Data>(
  { secret, expiresAt }: Signer,
  { port }: Pick<ServerProcess, 'port'>,
  procedure: string,
  input: object,
): Promise<Data> => {
  const token = signToken({ sub: 'editor', permissions: ['*'] }, secret, expiresAt);
  const response = await fetch(`http://127.0.0.1:${port}/admin/trpc/${procedure}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`${procedure} answered ${await response.text()}`);
  const { result } = (await response.json()) as { result: { data: Data } };
  return result.data;
};
