// The changes of one session that are decided in order, in memory, and written together. No I/O.
import type { ErrorCode } from '@muster/contract';
import type { AuditRow } from '../platform/index.ts';
import { SERVICE_ACCOUNT, ServiceError } from '../platform/index.ts';
import type { PlayerLookup } from './player-store.ts';
import type { ChangeResult, SessionEvent, SessionState } from './session.ts';
import { isSeated, withFullEvent } from './session.ts';
import { checkSessionSize, MAX_PLAYER_ID_BYTES } from './session-resource.ts';
import type { SessionWrite, TimedEvent, TransactionStep } from './session-sql.ts';
import type { Reconnect } from './session-store.ts';

export type SessionChange = {
  /**
   * Decides on the newest state; called again after a conflict. Returns null for no change and throws a ServiceError to
   * refuse. `player` is the looked-up `seatsPlayer`.
   */
  decide(session: SessionState, now: Date, player?: PlayerLookup): ChangeResult | null;
  /** The error when there is no such session; `session_not_found` when absent. */
  notFound?: ErrorCode;
  accountId: string;
  /**
   * Decided in its own batch. All changes of a batch are answered with the same session, so a change that may undo
   * another one, such as a kick, must not be in a batch with it.
   */
  alone?: boolean;
  /**
   * The player for whom the change takes a seat. While the player is not seated, the change may be decided on the
   * cached session, since the write checks the version. A seated player may be disconnected, which changes no version.
   * Unless `player` is registered, the write registers the player.
   */
  seatsPlayer?: string | undefined;
  /** The stored data of `seatsPlayer`, when the caller has looked the player up. */
  player?: PlayerLookup | undefined;
  /**
   * Looks up `seatsPlayer`. Without `player`, it is called only when the session must be read anyway; otherwise the
   * write, or the check of the cached session, finds the stored data. Until then the player counts as registered and
   * keeps the legacy id of the seat.
   */
  lookUp?: (playerUuid: string) => Promise<PlayerLookup>;
  /** The player whose disconnect an accepted change ends, since it proves that the player is connected. */
  reconnects?: ((session: SessionState, now: Date) => string | undefined) | undefined;
  /** The audit record of the change, with the states before and after the decision at `now`. */
  audit?: ((before: SessionState, after: SessionState, now: Date) => AuditRow) | undefined;
  /** The change ends the session. */
  ends?: boolean | undefined;
  /** Runs in the transaction of the write, with the states before and after the decision at `now`. Requires a transaction. */
  inTransaction?: (before: SessionState, after: SessionState, now: Date) => TransactionStep;
};

/** A change that waits for its result. */
export type Task = SessionChange & {
  resolve: (changed: SessionState) => void;
  reject: (error: unknown) => void;
  origin: unknown;
};

/** Changes of one session that are decided in order and written together. `next` may be `base` itself. */
export type Batch = SessionWrite & {
  /** The time of the decision. */
  at: Date;
  outcomes: Outcome[];
  events: TimedEvent[];
  audits: AuditRow[];
  steps: TransactionStep[];
  reconnects: Reconnect[];
  newcomers: Set<string>;
};

/** `changed`: it creates a new state. */
type Outcome = { task: Task; error: ServiceError | undefined; changed: boolean };

export const needsLookUp = ({ lookUp, player }: Task): boolean =>
  lookUp !== undefined && player === undefined;

/** Some change was refused because its result might be too large. */
export const isTight = ({ outcomes }: Batch): boolean =>
  outcomes.some(({ error }) => error?.code === 'session_too_large');

/**
 * Decides the changes in order of arrival, each on the result of the previous one. With `whileChanged` it stops at the
 * first change without effect.
 */
export const decideBatch = (
  base: SessionState,
  tasks: readonly Task[],
  at: Date,
  { maxSessionBytes, whileChanged = false }: { maxSessionBytes: number; whileChanged?: boolean },
): Batch => {
  const batch: Batch = {
    base,
    next: base,
    at,
    outcomes: [],
    events: [],
    audits: [],
    steps: [],
    reconnects: [],
    newcomers: new Set(),
  };
  // For legacy ids that the write may find.
  const reservedBytes = tasks.filter(needsLookUp).length * MAX_PLAYER_ID_BYTES;
  for (const task of tasks) {
    const outcome: Outcome = { task, error: undefined, changed: false };
    batch.outcomes.push(outcome);
    try {
      outcome.changed = apply(batch, task, maxSessionBytes, reservedBytes);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      outcome.error = error;
    }
    if (whileChanged && !outcome.changed) break;
  }
  return batch;
};

/** Decides one change on the result of the previous ones, and adds what it writes. Returns true when it creates a new state. */
const apply = (batch: Batch, task: Task, maxBytes: number, reservedBytes: number): boolean => {
  const before = withoutDisconnects(batch.next, batch.reconnects);
  const result = task.decide(before, batch.at, task.player);
  const after = result && toNextState(batch, before, result.session);
  if (after) checkSessionSize(before, after, maxBytes, reservedBytes);
  addReconnect(batch, task, before);
  if (!result || !after) return false;
  batch.next = after;
  addNewcomer(batch, task);
  addEvents(batch, task, withFullEvent(before, after, result.events));
  addDisconnects(batch, result.stillDisconnected);
  addRecords(batch, task, before, after);
  return true;
};

/** The disconnects that end with the batch, before its later changes are decided. */
const withoutDisconnects = (session: SessionState, ended: readonly Reconnect[]): SessionState => {
  if (ended.length === 0) return session;
  const disconnects = new Map(session.disconnects);
  for (const { playerUuid } of ended) disconnects.delete(playerUuid);
  return { ...session, disconnects };
};

const toNextState = (
  { base, at }: Batch,
  before: SessionState,
  decided: SessionState,
): SessionState => ({
  ...withoutEndedDisconnects(decided),
  version: base.version + 1,
  lastActivityAt: isActivity(before.seats, decided.seats) ? at : before.lastActivityAt,
});

/** A disconnect ends with its seat: a player who takes a new seat has none. */
const withoutEndedDisconnects = (session: SessionState): SessionState => {
  const { disconnects, seats } = session;
  if (disconnects.size === 0) return session;
  return { ...session, disconnects: new Map([...disconnects].filter(([uuid]) => seats.has(uuid))) };
};

/** A player took a seat, or left one. Not from the events, of which only the first ones of an hour are recorded. */
const isActivity = (before: SessionState['seats'], after: SessionState['seats']): boolean =>
  hasArrival(before, after) || hasArrival(after, before);

/** Whether a player is seated in `after` and not in `before`. */
const hasArrival = (before: SessionState['seats'], after: SessionState['seats']): boolean => {
  for (const [playerUuid, seat] of after) {
    if (isSeated(seat) && !isSeated(before.get(playerUuid))) return true;
  }
  return false;
};

/** Also for a change without effect: the request proves that the player is connected. */
const addReconnect = (
  { base, at, reconnects: added }: Batch,
  { reconnects, accountId }: Task,
  before: SessionState,
): void => {
  // Disconnects are rare, so this map is nearly always empty.
  if (base.disconnects.size === 0) return;
  const playerUuid = reconnects?.(before, at);
  if (playerUuid === undefined || !base.disconnects.has(playerUuid)) return;
  if (added.some((one) => one.playerUuid === playerUuid)) return;
  added.push({ playerUuid, accountId });
};

/** The write registers a player who may not be registered. */
const addNewcomer = ({ newcomers }: Batch, { player, seatsPlayer }: Task): void => {
  if (!player?.isRegistered && seatsPlayer) newcomers.add(seatsPlayer);
};

const addEvents = (
  { events: added, at }: Batch,
  { accountId }: Task,
  events: readonly SessionEvent[],
): void => {
  for (const event of events) added.push(toTimedEvent(event, accountId, at));
};

/** No caller caused the end of a seat that expired. */
const toTimedEvent = (event: SessionEvent, accountId: string, at: Date): TimedEvent => ({
  ...event,
  accountId: event.kind === 'seat_expired' ? SERVICE_ACCOUNT : accountId,
  at,
});

const addDisconnects = (batch: Batch, added: ChangeResult['stillDisconnected']): void => {
  if (!added?.size) return;
  batch.stillDisconnected = new Map([...(batch.stillDisconnected ?? []), ...added]);
};

/** What the write stores besides the session: the audit record, the end and the steps of the change. */
const addRecords = (
  batch: Batch,
  { audit, ends, inTransaction }: Task,
  before: SessionState,
  after: SessionState,
): void => {
  const { at } = batch;
  if (audit) batch.audits.push(audit(before, after, at));
  if (ends) batch.endedAt = at;
  if (inTransaction) batch.steps.push(inTransaction(before, after, at));
};
