// The sessions that this process used last, limited in bytes. A decision on a cached session counts only when a write
// finds the same version stored, or CHECK_SESSIONS has found it before.
//
// Cached sessions are packed. Objects that live for a second are the worst case of the garbage collector: it copies
// them twice, and then finds them only by traversing the whole heap. Packing and unpacking a session costs less.
import { LRUCache } from 'lru-cache';
import type { Seat, SessionState } from './session.ts';
import { measureSession, rememberSize } from './session-resource.ts';
import type { SeatRow, SessionRow } from './session-sql.ts';
import { toDetailRecord, toSessionState } from './session-sql.ts';

const MAX_CONTENDED = 20_000;
/** Bytes of one entry besides its text: its key, its object and its place in the map. */
const ENTRY_BYTES = 160;

export type SessionCache = ReturnType<typeof createSessionCache>;

/** The sessions take about `maxBytes`. A session is not cached for `contendedMs` after another process changed it. */
export const createSessionCache = ({ maxBytes = 44 * 1024 * 1024, contendedMs = 2_000 } = {}) => {
  const packed = new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (text) => ENTRY_BYTES + measureText(text),
  });
  const contended = new LRUCache<string, true>({ max: MAX_CONTENDED, ttl: contendedMs });
  /**
   * The last session, unpacked: a batch that the cache alone cannot decide reads it twice, and joins often come in runs
   * for one session.
   */
  let last: SessionState | undefined;

  const remove = (sessionKey: string): void => {
    packed.delete(sessionKey);
    if (last?.key === sessionKey) last = undefined;
  };
  return {
    get: (sessionKey: string): SessionState | undefined => {
      if (last?.key === sessionKey) return last;
      const text = packed.get(sessionKey);
      if (text === undefined) return undefined;
      last = unpackSession(text);
      return last;
    },

    set: (session: SessionState): void => {
      if (contended.has(session.key)) return;
      packed.set(session.key, packSession(session));
      last = packed.has(session.key) ? session : undefined;
    },

    delete: remove,

    /** Another process also changes the session, so cached states would repeatedly be wrong. */
    markContended: (sessionKey: string): void => {
      remove(sessionKey);
      contended.set(sessionKey, true);
    },

    count: (): number => packed.size,
  };
};

/** Bytes on the heap: V8 stores a character in one byte, or each in two where one of them is beyond U+00FF. */
const measureText = (text: string): number =>
  Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;

/** A session as one text: a fraction of the heap size of its objects, and far cheaper to read than the database. */
export const packSession = (session: SessionState): string =>
  JSON.stringify(toPackedRow(session, measureSession(session)));

/** Equal to the packed session in every field. */
export const unpackSession = (text: string): SessionState => {
  const row: PackedRow = JSON.parse(text);
  const seats = unpackSeats(row.seats, row.created_at);
  const session = toSessionState({ ...row, seats });
  rememberSize(session, row.bytes);
  return session;
};

type PackedRow = Omit<SessionRow, 'seats'> & { seats: PackedSeats; bytes: number };

/** A row of READ_SESSIONS except for the seats; JSON leaves out undefined members. */
const toPackedRow = (
  { rules, teams, seats, platformSessions, ...session }: SessionState,
  bytes: number,
) => ({
  session_key: session.key,
  type: session.type,
  session_id: session.sessionId,
  incarnation: session.incarnation,
  version: session.version,
  created_at: session.createdAt.getTime(),
  last_activity_at: session.lastActivityAt?.getTime() ?? null,
  ...toDetailRecord(session),
  ...(rules.since && {
    rules_since: rules.since.getTime(),
    version_match: rules.versionMatch,
    invitation_ttl_seconds: rules.invitationTtlSeconds,
    reservation_ttl_seconds: rules.reservationTtlSeconds,
    absent_ttl_seconds: rules.absentTtlSeconds,
    idle_ttl_seconds: rules.idleTtlSeconds,
    max_age_seconds: rules.maxAgeSeconds,
  }),
  teams: teams.map((team) => [
    team.teamId,
    team.maxSize,
    team.ticketIds ?? null,
    team.customData ?? null,
  ]),
  seats: packSeats(
    [...seats.values()].map((seat) => toSeatRow(seat, session.disconnects.get(seat.playerUuid))),
    session.createdAt.getTime(),
  ),
  platform_sessions: platformSessions.map((child) => [
    child.digest,
    child.platform,
    child.type,
    child.idBase64,
    child.customData ?? null,
  ]),
  bytes,
});

const toSeatRow = (seat: Seat, absentSince: Date | undefined): SeatRow => [
  seat.playerUuid,
  seat.teamId,
  seat.status,
  seat.seatedAt.getTime(),
  seat.playerId ?? null,
  seat.platform ?? null,
  seat.input ?? null,
  seat.clientVersion ?? null,
  seat.crossplay?.permitted_platform ?? null,
  seat.crossplay?.permitted_input ?? null,
  seat.customData ?? null,
  seat.invitingPlayerUuid ?? null,
  seat.sourceSessionId ?? null,
  seat.invitedAt?.getTime() ?? null,
  seat.joinedAt?.getTime() ?? null,
  absentSince?.getTime() ?? null,
];

/**
 * Seats by column: the players of a session are similar, so most columns hold one value. The number of seats, then for
 * each field its value or, when the seats differ, the array of their values. A value itself is never an array.
 */
type PackedSeats = [count: number, ...columns: unknown[]];

const SEATED_AT = 3;
/** Invited, joined, absent since: relative to the time of the seat, which is when most players joined. */
const SINCE_SEATED: readonly number[] = [13, 14, 15];
const FIELDS = 16;

/** Times are milliseconds relative to `since`. */
const packSeats = (rows: readonly SeatRow[], since: number): PackedSeats => [
  rows.length,
  ...Array.from({ length: FIELDS }, (_, field) => packColumn(rows, field, since)),
];

const unpackSeats = ([count, ...columns]: PackedSeats, since: number): SeatRow[] =>
  Array.from({ length: count }, (_, seat) => {
    const row = columns.map((column) => (Array.isArray(column) ? column[seat] : column));
    const seatedAt = row[SEATED_AT] + since;
    row[SEATED_AT] = seatedAt;
    for (const field of SINCE_SEATED) if (row[field] !== null) row[field] += seatedAt;
    return row as unknown as SeatRow;
  });

const packColumn = (rows: readonly SeatRow[], field: number, since: number): unknown => {
  const [first] = rows;
  if (!first) return undefined;
  const value = toRelative(first, field, since);
  return rows.every((row) => toRelative(row, field, since) === value)
    ? value
    : rows.map((row) => toRelative(row, field, since));
};

const toRelative = (row: SeatRow, field: number, since: number): unknown => {
  const value = row[field];
  if (typeof value !== 'number') return value;
  if (field === SEATED_AT) return value - since;
  return SINCE_SEATED.includes(field) ? value - row[SEATED_AT] : value;
};
