// The session aggregate as the rules see it: immutable, so that a change is a new value beside the old.
import type {
  Backfill,
  Browser,
  CrossplayPreferences,
  InputDevice,
  Instance,
  Match,
  Matchmaking,
  MatchmakingResults,
  Platform,
  PlayerStatus,
  VersionMatch,
} from '@muster/contract';

export type StringMap = Readonly<Record<string, string>>;

/** A seat that a player has taken, or one that is held for a player who has not arrived. */
export type Seat = {
  readonly playerUuid: string;
  readonly teamId: number;
  readonly status: PlayerStatus;
  /** When it was first taken or held; orders the players of a team and never changes. */
  readonly seatedAt: Date;
  readonly playerId?: number | undefined;
  readonly platform?: Platform | undefined;
  readonly input?: InputDevice | undefined;
  readonly clientVersion?: string | undefined;
  readonly crossplay?: CrossplayPreferences | undefined;
  readonly customData?: StringMap | undefined;
  readonly invitingPlayerUuid?: string | undefined;
  readonly sourceSessionId?: string | undefined;
  readonly invitedAt?: Date | undefined;
  readonly joinedAt?: Date | undefined;
};

export type TeamState = {
  readonly teamId: number;
  readonly maxSize: number;
  readonly ticketIds?: readonly string[] | undefined;
  readonly customData?: StringMap | undefined;
};

export type PlatformSessionState = {
  /** Hex SHA-256 of the platform and the canonical id; what a join looks it up by. */
  readonly digest: string;
  readonly platform: Platform;
  readonly type: string;
  readonly idBase64: string;
  readonly customData?: StringMap | undefined;
};

/** What game backends set and joins leave alone. */
export type SessionDetails = {
  readonly joinable: boolean;
  readonly regionId?: string | undefined;
  readonly createdByMatchmaking?: boolean | undefined;
  readonly customData?: StringMap | undefined;
  readonly instance?: Instance | undefined;
  readonly match?: Match | undefined;
  readonly matchmaking?: Matchmaking | undefined;
  readonly matchmakingResults?: MatchmakingResults | undefined;
  readonly backfill?: Backfill | undefined;
  readonly browser?: Browser | undefined;
};

/** The rules of the session's type that joins obey. */
export type TypeRules = {
  /** When they were last changed; absent for a type that was never described. */
  readonly since?: Date;
  readonly versionMatch: VersionMatch;
  /** Lives of seats in seconds; absent: they never expire. */
  readonly invitationTtlSeconds?: number | undefined;
  readonly reservationTtlSeconds?: number | undefined;
  /** Of a player whom a backend has marked absent; only the sweeper takes such a seat away. */
  readonly absentTtlSeconds?: number | undefined;
};

export type SessionState = {
  readonly key: string;
  readonly type: string;
  readonly sessionId: string;
  readonly incarnation: string;
  /** Counts the changes of the resource, from 1. */
  readonly version: number;
  readonly createdAt: Date;
  readonly rules: TypeRules;
  readonly details: SessionDetails;
  readonly teams: readonly TeamState[];
  readonly seats: ReadonlyMap<string, Seat>;
  readonly platformSessions: readonly PlatformSessionState[];
  /** Since when seated players are marked absent. No part of the resource: a mark moves no version. */
  readonly absences: Absences;
};

/** By player UUID. */
export type Absences = ReadonlyMap<string, Date>;

/** What happened to a session, for its timeline. */
export type SessionEvent = {
  readonly kind:
    | 'session_created'
    | 'session_updated'
    | 'session_ended'
    | 'instance_set'
    | 'platform_session_added'
    | 'platform_session_removed'
    | 'player_invited'
    | 'player_joined'
    | 'player_updated'
    | 'player_removed'
    | 'player_moved'
    | 'player_absent'
    | 'player_present'
    | 'leader_changed'
    | 'seat_expired'
    | 'join_refused';
  readonly playerUuid?: string | undefined;
  readonly detail?: Readonly<Record<string, string | number | boolean>> | undefined;
};

/** The default for a session whose type was never described: patch must match, seats are held for ever. */
export const DEFAULT_TYPE_RULES: TypeRules = { versionMatch: 'patch' };
