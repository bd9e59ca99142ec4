// How large the resource of a session is as JSON, and that no change makes it larger than it may be: every join is answered
// with all of it. What never varies much counts with the most that it can take. The size of a state is remembered, so that
// a join costs the measuring of its own seat.
import { ServiceError } from '../platform/index.ts';
import type { Seat, SessionState } from './session.ts';
import { hasNewStructure } from './session.ts';

export const DEFAULT_MAX_SESSION_BYTES = 256 * 1_024;

/**
 * Refuses a change that makes the resource larger than `maxBytes`. One that is larger already, because the limit was
 * higher before, may still shrink and change its states. Errors: `session_too_large` with the member that grew.
 */
export const checkSessionSize = (
  before: SessionState | null,
  after: SessionState,
  maxBytes: number,
): void => {
  const bytes = before ? measureChange(before, after) : measureSession(after);
  if (bytes <= maxBytes || (before && bytes <= measureSession(before))) return;
  throw new ServiceError('session_too_large', {
    desc: `The session would be larger than ${Math.floor(maxBytes / 1_024)} KiB.`,
    place: findGrown(before, after),
  });
};

/** Bytes of the resource in UTF-8: never less than it has, and at most some hundred per seat and team more. */
export const measureSession = (session: SessionState): number => {
  const known = sizes.get(session);
  if (known !== undefined) return known;
  let bytes = FIXED;
  for (const [, size] of listParts(session)) bytes += size;
  for (const seat of session.seats.values()) bytes += measureSeat(seat);
  return rememberSize(session, bytes);
};

/** Of immutable states. */
const sizes = new WeakMap<SessionState, number>();

/** For a state whose size was measured before it was packed. */
export const rememberSize = (session: SessionState, bytes: number): number => {
  sizes.set(session, bytes);
  return bytes;
};

/** As `measureSession`, which a change of seats alone need not measure anew. */
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

/** Type, id, dates and the names of all members. */
const FIXED = 2_048;

/** By the names that the members have in requests. */
const listParts = ({ details, teams, platformSessions }: SessionState): [string, number][] => [
  ['custom_data', measure(details.customData)],
  ['instance', measureInstance(details.instance)],
  ['match', measure(details.match)],
  ['matchmaking', measure(details.matchmaking)],
  ['matchmaking_results', measure(details.matchmakingResults)],
  ['backfill', measure(details.backfill)],
  ['browser', measure(details.browser)],
  ['teams', measure(teams) + teams.length * TEAM_NAMES],
  ['platform_session', measure(platformSessions)],
];

/** The resource has longer names than the state, and an empty list of players. */
const TEAM_NAMES = 24;

const measure = (part: object | undefined): number =>
  part === undefined ? 0 : Buffer.byteLength(JSON.stringify(part));

/** Its states count with the most that they take, so that a full session can still be closed. */
const measureInstance = (instance: SessionState['details']['instance']): number => {
  if (!instance) return 0;
  const { join_status: status, instance_health: health } = instance;
  const states = status.length + (health === undefined ? 0 : health.length + HEALTH_NAME);
  return measure(instance) - states + MAX_STATES;
};
const HEALTH_NAME = ',"instance_health":""'.length;
const MAX_STATES = 10 + HEALTH_NAME + 10;

const measureSeat = (seat: Seat): number =>
  SEAT +
  (seat.clientVersion?.length ?? 0) +
  (seat.crossplay ? CROSSPLAY : 0) +
  (seat.invitingPlayerUuid ? INVITING : 0) +
  (seat.sourceSessionId === undefined ? 0 : SOURCE + seat.sourceSessionId.length * MAX_JSON_UNIT) +
  measure(seat.customData);

/** UUID, legacy id, status, platform, input and two dates, with their names. */
const SEAT = 352;
const CROSSPLAY = 160;
const INVITING = 64;
const SOURCE = 24;
/** A control character is written as six. */
const MAX_JSON_UNIT = 6;

/** The member that has grown most; of the seats, the player's data, or the player. */
const findGrown = (before: SessionState | null, after: SessionState): string => {
  const sizes = new Map(before ? listParts(before) : []);
  const growth = listParts(after).map(([name, size]): [string, number] => [
    name,
    size - (sizes.get(name) ?? 0),
  ]);
  const [name, most] = growth.reduce((a, b) => (b[1] > a[1] ? b : a));
  if (most > 0) return name;
  const hasMoreData = [...after.seats.values()].some(
    ({ playerUuid, customData }) =>
      measure(customData) > measure(before?.seats.get(playerUuid)?.customData),
  );
  return hasMoreData ? 'custom_data' : 'player_uuid';
};
