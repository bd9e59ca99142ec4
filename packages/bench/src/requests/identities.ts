// Who joins what: ids by number, spelled the same here and in the SQL that makes the data.
import { createHash } from 'node:crypto';

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
export const platformSessionIdOf = (session: number): string =>
  createHash('sha256').update(`platform-session:${session}`).digest('base64');

export const PLATFORM_SESSION_ID_SQL = (session: string): string =>
  `encode(sha256(convert_to('platform-session:' || ${session}, 'UTF8')), 'base64')`;
