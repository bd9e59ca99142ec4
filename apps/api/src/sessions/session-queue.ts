// One queue per session and process. The changes that wait for a session are decided one after the other in
// memory and written together as a batch, so that only other processes can cause a write conflict.
import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorCode } from '@muster/contract';
import { captureOrigin, ServiceError, traceBatch } from '../platform/index.ts';
import type { PlayerLookup } from './player-store.ts';
import type { ChangeResult, SessionState } from './session.ts';
import { isSeated } from './session.ts';
import type { SessionCache } from './session-cache.ts';
import { createSessionCache } from './session-cache.ts';
import {
  checkSessionSize,
  DEFAULT_MAX_SESSION_BYTES,
  enableResponseSharing,
  MAX_PLAYER_ID_BYTES,
} from './session-resource.ts';
import type { FoundPlayers, SessionWrite, TimedEvent, TransactionStep } from './session-sql.ts';
import type { Reconnect, SessionStore } from './session-store.ts';
import { UnstorableError } from './session-store.ts';

export type SessionChange = {
  /**
   * Decides on the newest state; called again after a conflict. Answers null to leave the session as it is, and throws
   * a ServiceError to refuse. `player` is what is known of `seatsPlayer`.
   */
  decide(session: SessionState, now: Date, player?: PlayerLookup): ChangeResult | null;
  /** What is answered when there is no such session: `session_not_found` when absent. */
  notFound?: ErrorCode;
  accountId: string;
  /**
   * Decided in a batch of its own. The changes of a batch are answered with the same session, so a change that may undo
   * another one, such as a kick, must not share its batch.
   */
  alone?: boolean;
  /**
   * The player for whom the change takes a seat. While the player is not seated, it may be decided on the
   * cached session, since the write checks the version. A seated player may be disconnected, which no version
   * tells. Unless `player` is registered, the write registers the player.
   */
  seatsPlayer?: string | undefined;
  /** What is stored of `seatsPlayer`, when the caller has looked the player up. */
  player?: PlayerLookup | undefined;
  /**
   * Looks up `seatsPlayer`. Without `player`, it is called only when the session must be read anyway: else the
   * write, or the check of the cached session, finds out what is stored. Until then the player counts as registered and
   * keeps the legacy id of the seat.
   */
  lookUp?: (playerUuid: string) => Promise<PlayerLookup>;
  /** The player whom the change, once it is accepted, shows to be connected: it ends a disconnect. */
  reconnects?: string | undefined;
  /** Runs in the transaction of the write, with the states before and after what was decided at `now`; forces one. */
  inTransaction?: (before: SessionState, after: SessionState, now: Date) => TransactionStep;
};

type SessionQueueOptions = {
  store: Pick<SessionStore, 'readSession' | 'isStored' | 'writeSession' | 'reconnect'>;
  cache?: SessionCache;
  now?: () => Date;
  /** Writes that may fail on a conflict before the waiting changes are refused as `session_busy`. */
  maxAttempts?: number;
  /** Changes that may wait in this process; more are refused as `service_overloaded` at once. */
  maxWaiting?: number;
  /** Changes that would make the resource of a session larger are refused as `session_too_large`. */
  maxSessionBytes?: number;
  /** Called for each write that found the session changed by another process. */
  onConflict?: () => void;
  /** Called for each look into the cache. */
  onLook?: (isHit: boolean) => void;
  /** Called for each settled batch with the source of the state that it was decided on. */
  onDecided?: (source: 'memory' | 'database') => void;
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
   * Waiting tasks by session key. A key is present while its queue is being processed, which leaves the array
   * empty (see LinkedList).
   */
  readonly #waiting = new Map<string, Task[]>();
  #count = 0;

  constructor(options: SessionQueueOptions) {
    this.#options = {
      now: () => new Date(),
      maxAttempts: 24,
      maxWaiting: 10_000,
      maxSessionBytes: DEFAULT_MAX_SESSION_BYTES,
      onConflict: () => {},
      onDecided: () => {},
      onLook: () => {},
      ...options,
      // Not a default above: a cache that is made and thrown away takes its memory as well.
      cache: options.cache ?? createSessionCache(),
    };
  }

  /** How many changes wait or are being decided. */
  get waiting(): number {
    return this.#count;
  }

  change(sessionKey: string, change: SessionChange): Promise<SessionState> {
    if (this.#count >= this.#options.maxWaiting) {
      return Promise.reject(new ServiceError('service_overloaded'));
    }
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

  /** When one change may have caused a failure, each is run alone to find which. */
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
   * False when the cached session does not suffice: then nothing is answered, and everything is decided on
   * what is stored now. Only what a write confirms may rest on the cache; refusals, and answers that change
   * nothing, are left to #attempt.
   */
  async #attemptFromCache(sessionKey: string, tasks: Task[]): Promise<boolean> {
    const { cache, maxSessionBytes, now, onLook } = this.#options;
    const base = cache.get(sessionKey);
    onLook(base !== undefined);
    if (!base || !tasks.every(({ seatsPlayer }) => mayTakeSeat(base, seatsPlayer))) return false;
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
      // Legacy ids that were looked up may be shorter than those that were reckoned with, and decide whether it fits.
      if (isCached && isTight(batch)) {
        cache.delete(sessionKey);
        continue;
      }
      if (await this.#finish(batch, 'database', isCached)) return;
      await delay(Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS));
    }
    for (const task of tasks) task.reject(new ServiceError('session_busy'));
  }

  /** What is stored now. A cached session is not read again when a check shows that it is what is stored. */
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

  /** Writes and answers a batch that was decided on a state of this source, cached or not. False on a conflict. */
  async #finish(batch: Batch, source: 'memory' | 'database', isCached: boolean): Promise<boolean> {
    const { cache, onConflict, onDecided } = this.#options;
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
    return true;
  }

  /**
   * The session as it was written; null on a conflict with another process: everything is decided again, refusals too.
   * Disconnects end before anything is written or answered. One that has ended already, perhaps together with the seat,
   * is a conflict.
   */
  async #write(batch: Batch): Promise<SessionState | null> {
    const { store } = this.#options;
    const { base, next, reconnects, at } = batch;
    const areStored = reconnects.length === 0 || (await store.reconnect(base.key, reconnects, at));
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
 * The players without a look-up whose seats are right only if they hold no legacy id. A seat that names one
 * stays right, and a seat that is not taken yet will be written.
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

/** Changes of one session that are decided one after the other and written together. `next` may be `base` itself. */
type Batch = SessionWrite & {
  /** When it was decided. */
  at: Date;
  outcomes: Outcome[];
  events: TimedEvent[];
  steps: TransactionStep[];
  reconnects: Reconnect[];
  newcomers: Set<string>;
};

/** `changed`: it makes another session. */
type Outcome = { task: Task; error: ServiceError | undefined; changed: boolean };

/** How many of the waiting changes make the next batch: one that is alone, or all up to the next such. */
const countBatch = (waiting: readonly Task[]): number => {
  const next = waiting.findIndex(({ alone }) => alone);
  return next === -1 ? waiting.length : Math.max(next, 1);
};

const isTight = ({ outcomes }: Batch): boolean =>
  outcomes.some(({ error }) => error?.code === 'session_too_large');

/**
 * Decides the changes in order of arrival, each on the result of those before it. With `whileChanged` it ends with the
 * first that changes nothing.
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
    steps: [],
    reconnects: [],
    newcomers: new Set(),
  };
  // For the legacy ids that the write may find.
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

/** A disconnect goes with its seat: whoever sits down again has none to end. */
const withoutEndedDisconnects = (session: SessionState): SessionState => {
  const { disconnects, seats } = session;
  if (disconnects.size === 0) return session;
  return { ...session, disconnects: new Map([...disconnects].filter(([uuid]) => seats.has(uuid))) };
};

const apply = (
  batch: Batch,
  { decide, player, seatsPlayer, accountId, reconnects, inTransaction }: Task,
  maxBytes: number,
  reservedBytes: number,
): boolean => {
  const { base, next: before, at } = batch;
  const result = decide(before, at, player);
  const after = result && { ...withoutEndedDisconnects(result.session), version: base.version + 1 };
  if (after) checkSessionSize(before, after, maxBytes, reservedBytes);
  // Disconnects are rare: for nearly every session this is a look into an empty map.
  if (reconnects !== undefined && base.disconnects.has(reconnects)) {
    const isNoted = batch.reconnects.some(({ playerUuid }) => playerUuid === reconnects);
    if (!isNoted) batch.reconnects.push({ playerUuid: reconnects, accountId });
  }
  if (!after) return false;
  batch.next = after;
  if (!player?.isRegistered && seatsPlayer) batch.newcomers.add(seatsPlayer);
  batch.events.push(...result.events.map((event) => ({ ...event, accountId, at })));
  // A change that rests on disconnects is alone in its batch.
  batch.stillDisconnected = result.stillDisconnected?.size ? result.stillDisconnected : undefined;
  if (inTransaction) batch.steps.push(inTransaction(before, after, at));
  return true;
};
