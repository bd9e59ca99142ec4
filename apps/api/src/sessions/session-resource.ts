// The resource of a session: its public form, its ETag, and its size as JSON. Every join returns the whole resource, so
// changes that exceed its limit are refused. The size of a state is cached, so that a join only measures its own seat.
import type { Session } from '@muster/contract';
import { ServiceError } from '../platform/index.ts';
import type { Seat, SessionState } from './session.ts';
import { hasNewStructure } from './session.ts';

type Versioned = { incarnation: string; version: number | bigint };

/** The strong validator of a session (RFC 9110 section 8.8.3), quotes included. */
export const etagOf = ({ incarnation, version }: Versioned): string =>
  `"${incarnation}-${version}"`;

/** Errors: `session_etag_mismatch` with the current ETag. */
export const requireEtag = (session: Versioned, expectedEtag: string | undefined): void => {
  const current_etag = etagOf(session);
  if (expectedEtag === undefined || expectedEtag === current_etag) return;
  throw new ServiceError('session_etag_mismatch', { facts: { current_etag } });
};

/** The public resource. Only this function builds it, so that equal states have equal bytes. */
export const toSessionResource = (session: SessionState): Session => {
  const { details } = session;
  const ordered = [...session.seats.values()].sort(bySeatOrder);
  return {
    type: session.type,
    session_id: session.sessionId,
    instance: details.instance,
    match: details.match,
    matchmaking_results: details.matchmakingResults,
    matchmaking: details.matchmaking,
    backfill: details.backfill,
    browser: details.browser,
    joinable: details.joinable,
    teams: session.teams.map((team) => ({
      players: ordered.filter((seat) => seat.teamId === team.teamId).map(toSessionPlayer),
      max_size: team.maxSize,
      team_id: team.teamId,
      ticket_ids: team.ticketIds && [...team.ticketIds],
      custom_data: team.customData,
    })),
    platform_session: session.platformSessions.map((child) => ({
      platform: child.platform,
      platform_session_type: child.type,
      platform_session_id_base64: child.idBase64,
      players: [],
      custom_data: child.customData,
    })),
    custom_data: details.customData,
    created: session.createdAt.toISOString(),
    region_id: details.regionId,
    created_by_matchmaking: details.createdByMatchmaking,
  };
};

/** Ordered by time of the seat, then by UUID. */
const bySeatOrder = (a: Seat, b: Seat): number =>
  a.seatedAt.getTime() - b.seatedAt.getTime() || (a.playerUuid < b.playerUuid ? -1 : 1);

const toSessionPlayer = (seat: Seat): Session['teams'][number]['players'][number] => ({
  player_id: seat.playerId,
  player_uuid: seat.playerUuid,
  status: seat.status,
  inviting_player_uuid: seat.invitingPlayerUuid,
  source_session_id: seat.sourceSessionId,
  custom_data: seat.customData,
  version: seat.clientVersion,
  client_settings: seat.input && { platform: seat.platform, input: seat.input },
  crossplay_preferences: seat.crossplay,
  invited: seat.invitedAt?.toISOString(),
  joined: seat.joinedAt?.toISOString(),
});

/**
 * Resources used by several responses: all joins of one batch return the same session with all its seats, and there may
 * be as many joins as seats. Weak references, since a resource may be large and its state may stay cached longer.
 */
const shared = new WeakMap<SessionState, WeakRef<Session> | null>();

/** Call before several responses contain this state. */
export const enableResponseSharing = (session: SessionState): void => {
  shared.set(session, null);
};

/** The resource of a response; frozen when other responses use it too. */
export const toResponseBody = (session: SessionState): Session => {
  const known = shared.get(session);
  if (known === undefined) return toSessionResource(session);
  const resource = known?.deref() ?? Object.freeze(toSessionResource(session));
  shared.set(session, new WeakRef(resource));
  return resource;
};

/**
 * Refuses a change that makes the resource larger than `maxBytes`, of which `reservedBytes` are reserved for additions
 * by the write. A session of any size may shrink and change the states of its instance. Errors: `session_too_large`
 * with the member that grew.
 */
export const checkSessionSize = (
  before: SessionState | null,
  after: SessionState,
  maxBytes: number,
  reservedBytes = 0,
): void => {
  const most = maxBytes - reservedBytes;
  const bytes = before ? measureChange(before, after) : measureSession(after);
  if (bytes <= most || countBytes(after) <= most) return;
  // Without the states of the instance, so that a full session still follows its instance.
  if (before && countWithoutStates(after) <= countWithoutStates(before)) return;
  throw new ServiceError('session_too_large', {
    desc: `The session would be larger than ${Math.floor(maxBytes / 1_024)} KiB.`,
    place: findGrown(before, after),
  });
};

/** Bytes of the resource in UTF-8, and one for each team with players: every player counts with a comma. */
export const measureSession = (session: SessionState): number => {
  const known = sizes.get(session);
  if (known !== undefined) return known;
  let bytes = measure(toFrame(session));
  for (const seat of session.seats.values()) bytes += measureSeat(seat);
  return rememberSize(session, bytes);
};

/** Bytes of the resource in UTF-8. */
const countBytes = (session: SessionState): number => {
  const occupied = new Set<number>();
  for (const { teamId } of session.seats.values()) occupied.add(teamId);
  return measureSession(session) - occupied.size;
};

const sizes = new WeakMap<SessionState, number>();

/** For a state whose size was measured before it was packed. */
export const rememberSize = (session: SessionState, bytes: number): number => {
  sizes.set(session, bytes);
  return bytes;
};

/** Like `measureSession`, but measures only the seats when nothing else changed. */
const measureChange = (before: SessionState, after: SessionState): number => {
  if (hasNewStructure(before, after)) return measureSession(after);
  let bytes = measureSession(before);
  for (const [playerUuid, seat] of after.seats) {
    const old = before.seats.get(playerUuid);
    if (old !== seat) bytes += measureSeat(seat) - (old ? measureSeat(old) : 0);
  }
  for (const [playerUuid, seat] of before.seats) {
    if (!after.seats.has(playerUuid)) bytes -= measureSeat(seat);
  }
  return rememberSize(after, bytes);
};

const toFrame = (session: SessionState) => toSessionResource({ ...session, seats: NO_SEATS });
const NO_SEATS: SessionState['seats'] = new Map();

const measure = (part: unknown): number =>
  part === undefined ? 0 : Buffer.byteLength(JSON.stringify(part));

/** The exact size of a player's JSON and a comma, without serialising most of its strings, which are ASCII. */
const measureSeat = (seat: Seat): number => {
  const { playerId, platform, input, clientVersion, crossplay, customData } = seat;
  let bytes = PLAYER + seat.status.length;
  if (playerId !== undefined) bytes += PLAYER_ID + String(playerId).length;
  if (seat.invitingPlayerUuid !== undefined) bytes += INVITING;
  if (seat.sourceSessionId !== undefined) bytes += SOURCE + measure(seat.sourceSessionId);
  if (customData) bytes += CUSTOM_DATA + measure(customData);
  if (clientVersion !== undefined) bytes += VERSION + clientVersion.length;
  if (input) bytes += SETTINGS + input.length + (platform ? PLATFORM + platform.length : 0);
  if (crossplay) {
    bytes += CROSSPLAY + crossplay.permitted_platform.length + crossplay.permitted_input.length;
  }
  return bytes + (seat.invitedAt ? INVITED : 0) + (seat.joinedAt ? JOINED : 0);
};

const UUID = 36;
const DATE = '2026-03-14T09:26:53.589Z'.length;
const PLAYER = '{"player_uuid":"","status":""},'.length + UUID;
const PLAYER_ID = '"player_id":,'.length;
const INVITING = '"inviting_player_uuid":"",'.length + UUID;
const SOURCE = '"source_session_id":,'.length;
const CUSTOM_DATA = '"custom_data":,'.length;
const VERSION = '"version":"",'.length;
const SETTINGS = '"client_settings":{"input":""},'.length;
const PLATFORM = '"platform":"",'.length;
const CROSSPLAY = '"crossplay_preferences":{"permitted_platform":"","permitted_input":""},'.length;
const INVITED = '"invited":"",'.length + DATE;
const JOINED = '"joined":"",'.length + DATE;

/** The growth of a seat when the write finds the legacy id of its player. */
export const MAX_PLAYER_ID_BYTES = PLAYER_ID + String(Number.MIN_SAFE_INTEGER).length;

const countWithoutStates = (session: SessionState): number => {
  const { join_status, instance_health } = session.details.instance ?? {};
  return countBytes(session) - measure(join_status && { join_status, instance_health });
};

/** The member that has grown most, by its name in requests; most members of a new player count as the player. */
const findGrown = (before: SessionState | null, after: SessionState): string => {
  const growth = new Map<string, number>();
  const add = (name: string, bytes: number) => growth.set(name, (growth.get(name) ?? 0) + bytes);
  const compare = (old: object | undefined, next: object, nameOf: (member: string) => string) => {
    for (const [member, value] of Object.entries(next)) add(nameOf(member), measure(value));
    for (const [member, value] of Object.entries(old ?? {})) add(nameOf(member), -measure(value));
  };
  compare(before ? toFrame(before) : undefined, toFrame(after), (member) => member);
  for (const [playerUuid, seat] of after.seats) {
    const old = before?.seats.get(playerUuid);
    if (old === seat) continue;
    const nameOf = (member: string) => {
      if (member === 'version') return 'client_version';
      return old || member === 'custom_data' ? member : 'player_uuid';
    };
    compare(old && toSessionPlayer(old), toSessionPlayer(seat), nameOf);
  }
  const [name, most] = [...growth].reduce((a, b) => (b[1] > a[1] ? b : a));
  return most > 0 ? name : 'player_uuid';
};
