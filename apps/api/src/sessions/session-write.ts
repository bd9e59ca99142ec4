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
};

/** The database refused a value: one change of a batch is bad, and the others need not fail with it. */
export class UnstorableError extends Error {
  override readonly name = 'UnstorableError';

  constructor(cause: unknown) {
    super('The database refused a value', { cause });
  }
}

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

const listWrittenSeats = ({ base, next }: SessionWrite) =>
  [...next.seats.values()]
    .filter((seat) => base.seats.get(seat.playerUuid) !== seat)
    .map((seat) => ({ session_key: base.key, ...toSeatRecord(seat) }));

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
