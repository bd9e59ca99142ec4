// A change of one session on its way to the database: what it is decided on, and what it makes of it.
import { newEventId } from './event-id.ts';
import { toSeatRecord } from './session-rows.ts';
import type { Absences, SessionEvent, SessionState } from './session-state.ts';

/** An event with what the database needs to know of its moment. */
export type TimedEvent = SessionEvent & { readonly accountId: string; readonly at: Date };

export type SessionWrite = {
  /** The aggregate that the change was decided on; its version must still be the stored one. */
  base: SessionState;
  next: SessionState;
  events: readonly TimedEvent[];
  /** Marks that must stand as they were read, or nothing is written. */
  stillAbsent?: Absences | undefined;
  /** Players who take their seats without having been looked up: the write finds out about them. */
  strangers?: ReadonlySet<string>;
};

/** What is stored of a player. */
export type FoundPlayer = { playerUuid: string; playerId?: number; isRegistered: boolean };

/** What a write has found out: of the strangers, those who hold a legacy id, or are not registered. */
export type Written = readonly FoundPlayer[];

/** The database refused a value: one change of a batch is bad, and the others need not fail with it. */
export class UnstorableError extends Error {
  override readonly name = 'UnstorableError';

  constructor(cause: unknown) {
    super('The database refused a value', { cause });
  }
}

/** A row of WRITE_SESSIONS: a session that was written, or a stranger in one. */
export type WrittenRow = {
  session_key: string;
  player_uuid: string | null;
  player_id: number | bigint | null;
  is_registered: boolean;
};

const NOTHING_FOUND: Written = [];

/** By the keys of the sessions that were written; the others had conflicts. */
export const readWritten = (rows: readonly WrittenRow[]): Map<string, Written> => {
  const written = new Map<string, Written>();
  for (const row of rows) {
    const found = written.get(row.session_key) ?? NOTHING_FOUND;
    written.set(row.session_key, row.player_uuid === null ? found : [...found, toFound(row)]);
  }
  return written;
};

const toFound = ({ player_uuid, player_id, is_registered }: WrittenRow): FoundPlayer => ({
  playerUuid: player_uuid ?? '',
  ...(player_id !== null && { playerId: Number(player_id) }),
  isRegistered: is_registered,
});

/** The parameters of WRITE_SESSIONS. */
export const toWriteParameters = (writes: readonly SessionWrite[]) => [
  writes.map(({ base }) => base.key),
  JSON.stringify(writes.map(toAsked)),
  JSON.stringify(writes.flatMap(listRemovedSeats)),
  JSON.stringify(writes.flatMap(listWrittenSeats)),
  JSON.stringify(writes.flatMap(listEvents)),
];

const toAsked = ({ base: { key, version, incarnation, rules } }: SessionWrite) => ({
  session_key: key,
  version,
  incarnation,
  rules_since: rules.since,
});

const listRemovedSeats = ({ base, next }: SessionWrite) =>
  [...base.seats.keys()]
    .filter((playerUuid) => !next.seats.has(playerUuid))
    .map((playerUuid) => ({ session_key: base.key, player_uuid: playerUuid }));

const listWrittenSeats = ({ base, next, strangers }: SessionWrite) =>
  [...next.seats.values()]
    .filter((seat) => base.seats.get(seat.playerUuid) !== seat)
    .map((seat) => ({
      session_key: base.key,
      ...toSeatRecord(seat),
      ...(strangers?.has(seat.playerUuid) && { stranger: true }),
    }));

/** Events of one moment sort by the sequence inside their ids, as they happened. */
const listEvents = ({ base, events }: SessionWrite) =>
  events.map(({ kind, at, accountId, playerUuid, detail }, index) => ({
    session_key: base.key,
    event_id: newEventId(at, index),
    occurred_at: at,
    kind,
    account_id: accountId,
    player_uuid: playerUuid,
    detail,
  }));
