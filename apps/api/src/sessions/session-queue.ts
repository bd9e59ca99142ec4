// One queue per session and process. Waiting changes of a session are decided in order in memory and written as one
// batch, so that only other processes can cause a write conflict.
import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorCode } from '@muster/contract';
import { captureOrigin, traceBatch } from '../flow/index.ts';
import type { AuditRow } from '../platform/index.ts';
import { SERVICE_ACCOUNT, ServiceError } from '../platform/index.ts';
import type { PlayerLookup } from './player-store.ts';
import type { ChangeResult, SessionEvent, SessionState } from './session.ts';
import { isSeated, withFullEvent } from './session.ts';
import type { SessionCache } from './session-cache.ts';
import {
  checkSessionSize,
  enableResponseSharing,
  MAX_PLAYER_ID_BYTES,
} from './session-resource.ts';
import type { FoundPlayers, SessionWrite, TimedEvent, TransactionStep } from './session-sql.ts';
import type { Reconnect, SessionStore } from './session-store.ts';
import { UnstorableError } from './session-store.ts';

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

type SessionQueueOptions = {
  store: Pick<SessionStore, 'readSession' | 'isStored' | 'writeSession' | 'reconnect'>;
  cache: SessionCache;
  now?: () => Date;
  /** Attempts of a write that conflicts before the waiting changes are refused as `session_busy`. */
  maxAttempts?: number;
  /** Changes that would make the resource of a session larger are refused as `session_too_large`. */
  maxSessionBytes: number;
  /** Called with each state that has been written. */
  onWritten: (session: SessionState) => void;
  /** Called for each write of a session that another process has changed. */
  onConflict: () => void;
  /** Called for each cache look-up. */
  onLook: (isHit: boolean) => void;
  /** Called for each finished batch with the source of its state. */
  onDecided: (source: 'memory' | 'database') => void;
};

type Task = SessionChange & {
  resolve: (changed: SessionState) => void;
  reject: (error: unknown) => void;
  origin: unknown;
};

const MAX_PAUSE_MS = 40;

export class SessionQueue {
  readonly #options: Required<SessionQueueOptions>;
  /**
   * Waiting tasks by session key. A key is present while its queue is being processed, which empties the array (see
   * LinkedList).
   */
  readonly #waiting = new Map<string, Task[]>();
  #count = 0;

  constructor(options: SessionQueueOptions) {
    this.#options = { now: () => new Date(), maxAttempts: 24, ...options };
  }

  /** The number of changes that wait or are being decided. */
  get waiting(): number {
    return this.#count;
  }

  change(sessionKey: string, change: SessionChange): Promise<SessionState> {
    this.#count += 1;
    const { promise, resolve, reject } = Promise.withResolvers<SessionState>();
    const leave = () => {
      this.#count -= 1;
    };
    promise.then(leave, leave);
    const task: Task = { ...change, resolve, reject, origin: captureOrigin() };
    const queue = this.#waiting.get(sessionKey);
    if (queue) queue.push(task);
    else {
      this.#waiting.set(sessionKey, [task]);
      void this.#process(sessionKey);
    }
    return promise;
  }

  async #process(sessionKey: string): Promise<void> {
    for (;;) {
      const waiting = this.#waiting.get(sessionKey) ?? [];
      if (waiting.length === 0) break;
      const tasks = waiting.splice(0, countBatch(waiting));
      const listOrigins = () => tasks.map(({ origin }) => origin);
      await traceBatch('decide', listOrigins, () => this.#settle(sessionKey, tasks));
    }
    this.#waiting.delete(sessionKey);
  }

  /** When one change may have caused a failure, each is retried alone to find which. */
  async #settle(sessionKey: string, tasks: Task[]): Promise<void> {
    try {
      if (await this.#attemptFromCache(sessionKey, tasks)) return;
      await this.#attempt(sessionKey, tasks);
    } catch (error) {
      this.#options.cache.delete(sessionKey);
      const mayBeOneOfThem = error instanceof ServiceError || error instanceof UnstorableError;
      if (tasks.length === 1 || !mayBeOneOfThem) {
        for (const task of tasks) task.reject(error);
        return;
      }
      for (const task of tasks) await this.#settle(sessionKey, [task]);
    }
  }

  /**
   * Returns false when the cached session does not suffice: then nothing is answered, and everything is decided on the
   * stored state. Only results that a write confirms may depend on the cache; refusals, and responses without a change,
   * are left to #attempt.
   */
  async #attemptFromCache(sessionKey: string, tasks: Task[]): Promise<boolean> {
    const { cache, maxSessionBytes, now, onLook } = this.#options;
    const base = cache.get(sessionKey);
    onLook(base !== undefined);
    // A disconnect changes no version, so the cached session may lack one that has expired.
    if (!base || base.rules.absentTtlSeconds !== undefined) return false;
    if (!tasks.every(({ seatsPlayer }) => mayTakeSeat(base, seatsPlayer))) return false;
    const batch = decideBatch(base, tasks, now(), { maxSessionBytes, whileChanged: true });
    if (!batch.outcomes.every(({ changed }) => changed)) return false;
    const isWritten = await this.#finish(batch, 'memory', true);
    if (!isWritten) cache.markContended(sessionKey);
    return isWritten;
  }

  async #attempt(sessionKey: string, tasks: Task[]): Promise<void> {
    const { maxAttempts, maxSessionBytes, cache, now, onDecided } = this.#options;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { base, isCached } = await this.#read(sessionKey, tasks);
      if (!base) {
        onDecided('database');
        for (const { notFound = 'session_not_found', reject } of tasks) {
          reject(new ServiceError(notFound));
        }
        return;
      }
      const batch = decideBatch(base, tasks, now(), { maxSessionBytes });
      // Looked-up legacy ids may be shorter than the reserved bytes, so the result may fit after all.
      if (isCached && isTight(batch)) {
        cache.delete(sessionKey);
        continue;
      }
      if (await this.#finish(batch, 'database', isCached)) return;
      await delay(Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS));
    }
    for (const task of tasks) task.reject(new ServiceError('session_busy'));
  }

  /** The stored state. A cached session is not read again when a check shows that it is current. */
  async #read(
    sessionKey: string,
    tasks: readonly Task[],
  ): Promise<{ base: SessionState | undefined; isCached: boolean }> {
    const { store, cache } = this.#options;
    const cached = cache.get(sessionKey);
    if (cached && (await store.isStored(cached, seatsWithoutLegacyId(cached, tasks)))) {
      return { base: cached, isCached: true };
    }
    const lookUps = tasks.filter(needsLookUp).map(async (task) => {
      task.player = await task.lookUp?.(task.seatsPlayer ?? '');
    });
    const [base] = await Promise.all([store.readSession(sessionKey), ...lookUps]);
    if (!base) cache.delete(sessionKey);
    return { base, isCached: false };
  }

  /** Writes a batch and resolves its tasks. `isCached`: it was decided on the cached state. Returns false on a conflict. */
  async #finish(batch: Batch, source: 'memory' | 'database', isCached: boolean): Promise<boolean> {
    const { cache, onConflict, onDecided, onWritten } = this.#options;
    const next = await this.#write(batch);
    if (!next) {
      onConflict();
      return false;
    }
    onDecided(source);
    if (batch.outcomes.length > 1) enableResponseSharing(next);
    for (const { task, error } of batch.outcomes) {
      if (error) task.reject(error);
      else task.resolve(next);
    }
    if (!isCached || next !== batch.base) cache.set(next);
    if (next !== batch.base) onWritten(next);
    return true;
  }

  /**
   * Returns the written session, or null on a conflict with another process, after which everything is decided again,
   * including refusals. Disconnects end before anything is written or answered. A disconnect that has already ended,
   * perhaps with its seat, is a conflict.
   */
  async #write(batch: Batch): Promise<SessionState | null> {
    const { store } = this.#options;
    const { base, next, reconnects, at } = batch;
    const areStored = reconnects.length === 0 || (await store.reconnect(base, reconnects, at));
    if (!areStored) return null;
    if (base === next) return next;
    const found = await store.writeSession(batch);
    return found && withLegacyIds(next, found);
  }
}

const mayTakeSeat = ({ seats }: SessionState, playerUuid: string | undefined): boolean =>
  playerUuid !== undefined && !isSeated(seats.get(playerUuid));

const needsLookUp = ({ lookUp, player }: Task): boolean =>
  lookUp !== undefined && player === undefined;

/**
 * Players without a look-up whose seats are correct only if they have no legacy id. A seat with a legacy id stays
 * correct, and a new seat will be written.
 */
const seatsWithoutLegacyId = ({ seats }: SessionState, tasks: readonly Task[]): string[] =>
  tasks.filter(needsLookUp).flatMap(({ seatsPlayer = '' }) => {
    const seat = seats.get(seatsPlayer);
    return seat && seat.playerId === undefined ? [seatsPlayer] : [];
  });

const withLegacyIds = (session: SessionState, found: FoundPlayers): SessionState => {
  if (found.length === 0) return session;
  const seats = new Map(session.seats);
  for (const { playerUuid, playerId } of found) {
    const seat = seats.get(playerUuid);
    if (seat) seats.set(playerUuid, { ...seat, playerId: seat.playerId ?? playerId });
  }
  return { ...session, seats };
};

/** Changes of one session that are decided in order and written together. `next` may be `base` itself. */
type Batch = SessionWrite & {
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

/** The size of the next batch: one exclusive change, or all changes before the next exclusive one. */
const countBatch = (waiting: readonly Task[]): number => {
  const next = waiting.findIndex(({ alone }) => alone);
  return next === -1 ? waiting.length : Math.max(next, 1);
};

const isTight = ({ outcomes }: Batch): boolean =>
  outcomes.some(({ error }) => error?.code === 'session_too_large');

/**
 * Decides the changes in order of arrival, each on the result of the previous one. With `whileChanged` it stops at the
 * first change without effect.
 */
const decideBatch = (
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

/** The disconnects that end with the batch, before its later changes are decided. */
const withoutDisconnects = (session: SessionState, ended: readonly Reconnect[]): SessionState => {
  if (ended.length === 0) return session;
  const disconnects = new Map(session.disconnects);
  for (const { playerUuid } of ended) disconnects.delete(playerUuid);
  return { ...session, disconnects };
};

/** No caller caused the end of a seat that expired. */
const toTimedEvent = (event: SessionEvent, accountId: string, at: Date): TimedEvent => ({
  ...event,
  accountId: event.kind === 'seat_expired' ? SERVICE_ACCOUNT : accountId,
  at,
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

const apply = (
  batch: Batch,
  { decide, player, seatsPlayer, accountId, reconnects, audit, ends, inTransaction }: Task,
  maxBytes: number,
  reservedBytes: number,
): boolean => {
  const { base, at } = batch;
  const before = withoutDisconnects(batch.next, batch.reconnects);
  const result = decide(before, at, player);
  const isActive = result !== null && isActivity(before.seats, result.session.seats);
  const after = result && {
    ...withoutEndedDisconnects(result.session),
    version: base.version + 1,
    lastActivityAt: isActive ? at : before.lastActivityAt,
  };
  if (after) checkSessionSize(before, after, maxBytes, reservedBytes);
  // Disconnects are rare, so this map is nearly always empty.
  const connected = base.disconnects.size > 0 ? reconnects?.(before, at) : undefined;
  if (connected !== undefined && base.disconnects.has(connected)) {
    const isNoted = batch.reconnects.some(({ playerUuid }) => playerUuid === connected);
    if (!isNoted) batch.reconnects.push({ playerUuid: connected, accountId });
  }
  if (!after) return false;
  batch.next = after;
  if (!player?.isRegistered && seatsPlayer) batch.newcomers.add(seatsPlayer);
  const events = withFullEvent(before, after, result.events);
  batch.events.push(...events.map((event) => toTimedEvent(event, accountId, at)));
  const { stillDisconnected } = result;
  if (stillDisconnected?.size) {
    batch.stillDisconnected = new Map([...(batch.stillDisconnected ?? []), ...stillDisconnected]);
  }
  if (audit) batch.audits.push(audit(before, after, at));
  if (ends) batch.endedAt = at;
  if (inTransaction) batch.steps.push(inTransaction(before, after, at));
  return true;
};
