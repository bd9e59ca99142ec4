// A session as the idiomatic peers read it, and as the public resource shows it.
import type { JoinRequest, Session } from '@muster/contract';

export type PeerJoin = {
  digest: Buffer;
  playerUuid: string;
  accountId: string;
  request: JoinRequest;
};

export type LoadedSeat = {
  playerUuid: string;
  status: string;
  seatedAt: Date | string;
  joinedAt: Date | string | null;
  platform: string | null;
  input: string | null;
  clientVersion: string | null;
  permittedPlatform: string | null;
  permittedInput: string | null;
  customData: unknown;
};

/** What a join says about the seat that it takes. */
export const toSeat = ({ playerUuid, request }: PeerJoin, status: string) => ({
  playerUuid,
  status,
  seatedAt: new Date(),
  joinedAt: new Date(),
  platform: request.client_settings.platform ?? null,
  input: request.client_settings.input,
  clientVersion: request.client_version,
  permittedPlatform: request.crossplay_preferences?.permitted_platform ?? null,
  permittedInput: request.crossplay_preferences?.permitted_input ?? null,
});

type LoadedTeam = { teamId: bigint | number; maxSize: number; seats: LoadedSeat[] };

export type LoadedSession = {
  sessionKey: string;
  type: string;
  sessionId: string;
  incarnation: string;
  version: bigint | number;
  joinable: boolean;
  createdAt: Date | string;
  regionId: string | null;
  customData: unknown;
  instance: unknown;
  browser: unknown;
  teams: LoadedTeam[];
  platformSessions: { platform: string; platformSessionType: string; idBase64: string }[];
};

const toIso = (time: Date | string | null): string | undefined =>
  time === null ? undefined : new Date(time).toISOString();

const orUndefined = (value: unknown): unknown => value ?? undefined;

/** Not typed as the contract's Session throughout: the columns are wider than its enumerations. */
export const toAnswer = (session: LoadedSession): Record<keyof Session, unknown> => ({
  type: session.type,
  session_id: session.sessionId,
  instance: orUndefined(session.instance),
  match: undefined,
  matchmaking_results: undefined,
  matchmaking: undefined,
  backfill: undefined,
  browser: orUndefined(session.browser),
  joinable: session.joinable,
  teams: session.teams.map(toTeam),
  platform_session: session.platformSessions.map((child) => ({
    platform: child.platform,
    platform_session_type: child.platformSessionType,
    platform_session_id_base64: child.idBase64,
    players: [],
  })),
  custom_data: orUndefined(session.customData),
  created: toIso(session.createdAt),
  region_id: orUndefined(session.regionId),
  created_by_matchmaking: undefined,
});

const toTeam = ({ teamId, maxSize, seats }: LoadedTeam) => ({
  players: seats.map(toPlayer),
  max_size: maxSize,
  team_id: Number(teamId),
});

const toPlayer = (seat: LoadedSeat) => ({
  player_uuid: seat.playerUuid,
  status: seat.status,
  custom_data: orUndefined(seat.customData),
  version: orUndefined(seat.clientVersion),
  client_settings: { platform: orUndefined(seat.platform), input: orUndefined(seat.input) },
  crossplay_preferences: seat.permittedPlatform
    ? { permitted_platform: seat.permittedPlatform, permitted_input: seat.permittedInput }
    : undefined,
  joined: toIso(seat.joinedAt),
});

export const etagOf = ({ incarnation, version }: LoadedSession): string =>
  `"${incarnation}-${version}"`;
