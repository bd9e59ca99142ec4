// The aggregates that this process has seen last, bounded in bytes. Never trusted: what is decided on one of them counts
// only when the write finds the same version stored.
import { LRUCache } from 'lru-cache';
import type { Seat, SessionDetails, SessionState, StringMap } from './session-state.ts';

export type SessionMemoryOptions = {
  /** About how much memory the aggregates may take. */
  maxBytes?: number;
  /** For how long a session is read afresh after another process has changed it. */
  contestedMs?: number;
};

export type SessionMemory = {
  recall(sessionKey: string): SessionState | undefined;
  remember(session: SessionState): void;
  forget(sessionKey: string): void;
  /** Another process changes the session, too: what is remembered of it would be wrong again and again. */
  contest(sessionKey: string): void;
};

const MAX_CONTESTED = 20_000;

export const createSessionMemory = ({
  maxBytes = 32 * 1024 * 1024,
  contestedMs = 2_000,
}: SessionMemoryOptions = {}): SessionMemory => {
  const sessions = new LRUCache<string, SessionState>({
    maxSize: maxBytes,
    sizeCalculation: estimateBytes,
  });
  const contested = new LRUCache<string, true>({ max: MAX_CONTESTED, ttl: contestedMs });
  return {
    recall: (sessionKey) => sessions.get(sessionKey),
    remember: (session) => {
      if (!contested.has(session.key)) sessions.set(session.key, session);
    },
    forget: (sessionKey) => {
      sessions.delete(sessionKey);
    },
    contest: (sessionKey) => {
      sessions.delete(sessionKey);
      contested.set(sessionKey, true);
    },
  };
};

// What the parts of an aggregate take on the heap of V8, measured with 10,000 of them each and rounded up.
const SESSION_BYTES = 1_400;
const TEAM_BYTES = 160;
const PLATFORM_SESSION_BYTES = 400;
const SEAT_BYTES = 640;
/** Matchmaking data and the like are kept as the objects that their JSON made. */
const DETAIL_FACTOR = 4;

/** Bytes on the heap, estimated from above. */
export const estimateBytes = (session: SessionState): number => {
  const { details, teams, platformSessions, seats } = session;
  let bytes = SESSION_BYTES + sizeOfDetails(details);
  for (const { customData, ticketIds } of teams) {
    bytes += TEAM_BYTES + sizeOfMap(customData) + (ticketIds?.join('').length ?? 0) * 2;
  }
  for (const { customData, idBase64 } of platformSessions) {
    bytes += PLATFORM_SESSION_BYTES + sizeOfMap(customData) + idBase64.length;
  }
  for (const seat of seats.values()) bytes += sizeOfSeat(seat);
  return bytes;
};

const detailSizes = new WeakMap<SessionDetails, number>();

/** Joins leave the details alone: they are measured once. */
const sizeOfDetails = (details: SessionDetails): number => {
  const known = detailSizes.get(details);
  if (known !== undefined) return known;
  const bytes = DETAIL_FACTOR * JSON.stringify(details).length;
  detailSizes.set(details, bytes);
  return bytes;
};

const sizeOfSeat = ({ customData, clientVersion }: Seat): number =>
  SEAT_BYTES + sizeOfMap(customData) + (clientVersion?.length ?? 0);

const sizeOfMap = (map: StringMap | undefined): number => {
  let bytes = 0;
  for (const [key, value] of Object.entries(map ?? {}))
    bytes += 64 + 2 * (key.length + value.length);
  return bytes;
};
