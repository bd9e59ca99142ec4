// Generated from the contract by "npm run generate -w @muster/client"; do not edit.
import type { Platform, PlayerStatus } from './session-types.ts';

/** Names a child session that lives on a platform. */
export type PlatformSessionReference = {
  platform: Platform;
  /** Platform-specific id of the platform's template. 1..128 characters. */
  platform_session_type: string;
  /** Unique id of the platform session. The standard and the URL-safe alphabet, with and without padding, name the same one. 1..4096 characters. */
  platform_session_id_base64: string;
};

/** The live sessions of a player. */
export type PlayerSessions = {
  /** Newest seat first. */
  sessions: SessionReference[];
};

/** A session in which the player has a seat. */
export type SessionReference = {
  /** Template type. 1..128 characters. */
  type: string;
  /** Unique within its type. 1..128 characters. */
  session_id: string;
  status: PlayerStatus;
  team_id: number;
  /** The player joins the session through any one of these. */
  platform_session: PlatformSessionReference[];
};
