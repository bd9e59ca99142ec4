// How much memory a session takes.
import type { Seat, SessionDetails, SessionState, StringMap } from './session-state.ts';

// What the parts of an aggregate take on the heap of V8, measured with 10,000 of them each and rounded up.
const SESSION_BYTES = 1_400;
const TEAM_BYTES = 160;
const PLATFORM_SESSION_BYTES = 400;
const SEAT_BYTES = 640;
/** Matchmaking data and the like are kept as the objects that their JSON made. */
const DETAIL_FACTOR = 4;
const TICKET_BYTES = 40;

/** Bytes on the heap, estimated from above. */
export const estimateBytes = (session: SessionState): number => {
  const { details, teams, platformSessions, seats } = session;
  let bytes = SESSION_BYTES + sizeOfDetails(details);
  bytes += 2 * (session.type.length + session.sessionId.length);
  for (const { customData, ticketIds = [] } of teams) {
    bytes += TEAM_BYTES + sizeOfMap(customData);
    for (const ticketId of ticketIds) bytes += TICKET_BYTES + 2 * ticketId.length;
  }
  for (const { customData, type, idBase64 } of platformSessions) {
    bytes += PLATFORM_SESSION_BYTES + sizeOfMap(customData) + idBase64.length + 2 * type.length;
  }
  for (const seat of seats.values()) bytes += sizeOfSeat(seat);
  return bytes;
};

const detailSizes = new WeakMap<SessionDetails, number>();

/** Joins leave the details alone: they are measured once. */
export const sizeOfDetails = (details: SessionDetails): number => {
  const known = detailSizes.get(details);
  if (known !== undefined) return known;
  const bytes = DETAIL_FACTOR * JSON.stringify(details).length;
  detailSizes.set(details, bytes);
  return bytes;
};

/** Spares measuring details that are a copy of some whose size is known. */
export const noteSizeOfDetails = (details: SessionDetails, bytes: number): void => {
  detailSizes.set(details, bytes);
};

const sizeOfSeat = ({ customData, clientVersion, sourceSessionId }: Seat): number =>
  SEAT_BYTES +
  sizeOfMap(customData) +
  2 * ((clientVersion?.length ?? 0) + (sourceSessionId?.length ?? 0));

const sizeOfMap = (map: StringMap | undefined): number => {
  if (map === undefined) return 0;
  let bytes = 0;
  for (const [key, value] of Object.entries(map)) bytes += 64 + 2 * (key.length + value.length);
  return bytes;
};
