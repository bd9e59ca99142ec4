// One queue per session and process. The changes that wait for a session are decided one after the other in
// memory and written together as a batch, so that only other processes can cause a write conflict.
import { setTimeout as delay } from 'node:timers/promises';
import { captureOrigin, ServiceError, traceBatch } from '../platform/index.ts';
import type { PlayerLookup } from './player-store.ts';
import { isSeated } from './seat-rules.ts';
import type { ChangeResult, Disconnects, SessionState } from './session.ts';
import { enableResponseSharing } from './session.ts';
import type { SessionCache } from './session-cache.ts';
import { createSessionCache } from './session-cache.ts';
import {
  checkSessionSize,
  DEFAULT_MAX_SESSION_BYTES,
  MAX_PLAYER_ID_BYTES,
} from './session-size.ts';
import type { FoundPlayers, TimedEvent, TransactionStep } from './session-sql.ts';
import type { Reconnect, SessionStore } from './session-store.ts';
import { UnstorableError } from './session-store.ts';

export type SessionChange = {
  /**
   * Decides on the newest state, null when there is no such session; called again after a conflict. Answers
   * null to leave the session as it is, and throws a ServiceError to refuse. `player` is what is known of
   * `seatsPlayer`.
   */
  decide(session: SessionState | null, now: Date, player?: PlayerLookup): ChangeResult | null;
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
  seatsPlayer?: string;
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
  /** Runs in the transaction of the write with the state before and after; forces a transaction. */
  inTransaction?: (before: SessionState, after: SessionState) => TransactionStep;
};

/** The session as it is stored after a change. */
type ChangedSession = { session: SessionState };

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
  resolve: (changed: ChangedSession) => void;
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
      ...{ now: () => new Date(), maxAttempts: 24, maxWaiting: 10_000 },
      maxSessionBytes: DEFAULT_MAX_SESSION_BYTES,
      ...{ onConflict: () => {}, onDecided: () => {}, onLook: () => {} },
      ...options,
      // Not a default above: a cache that is made and thrown away takes its memory as well.
      cache: options.cache ?? createSessionCache(),
    };
  }

  /** How many changes wait or are being decided. */
  get waiting(): number {
    return this.#count;
  }

  /** Applies one change and answers the session as it is stored afterwards. */
  change(sessionKey: string, change: SessionChange): Promise<ChangedSession> {
    if (this.#count >= this.#options.maxWaiting) {
      return Promise.reject(new ServiceError('service_overloaded'));
    }
    this.#count += 1;
    const { promise, resolve, reject } = Promise.withResolvers<ChangedSession>();
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

  /** Settles what waits for a session, batch after batch, until nothing is left. */
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
    const { cache, maxSessionBytes, now, onConflict, onDecided, onLook } = this.#options;
    const base = cache.get(sessionKey);
    onLook(base !== undefined);
    if (!base || !tasks.every(({ seatsPlayer }) => mayTakeSeat(base, seatsPlayer))) return false;
    const limits = { ...limitSize(maxSessionBytes, tasks), continueWhile: hasChanged };
    const batch = decideBatch(base, tasks, now(), limits);
    if (!batch.outcomes.every(({ changed }) => changed)) {
      // Legacy ids that were looked up may be shorter than those that were reckoned with, and decide whether it fits.
      const smaller = { ...limits, reservedBytes: 0 };
      const isClose = isTight(batch) && !isTight(decideBatch(base, tasks, now(), smaller));
      if (isClose) cache.delete(sessionKey);
      return false;
    }
    const next = await this.#write(batch);
    if (next === undefined) {
      onConflict();
      cache.markContended(sessionKey);
      return false;
    }
    onDecided('memory');
    answer(batch, next);
    if (next) cache.set(next);
    return true;
  }

  async #attempt(sessionKey: string, tasks: Task[]): Promise<void> {
    const { maxAttempts, maxSessionBytes, cache, onConflict, onDecided } = this.#options;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { base, isCached } = await this.#read(sessionKey, tasks);
      const now = this.#options.now();
      const batch = decideBatch(base, tasks, now, limitSize(maxSessionBytes, tasks));
      const next = (await this.#reconnect(batch, now)) ? await this.#write(batch) : undefined;
      if (next !== undefined) {
        onDecided('database');
        answer(batch, next);
        if (next && !(isCached && next === base)) cache.set(next);
        return;
      }
      onConflict();
      await delay(Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS));
    }
    for (const task of tasks) task.reject(new ServiceError('session_busy'));
  }

  /** What is stored now. A cached session is not read again when a check shows that it is what is stored. */
  async #read(
    sessionKey: string,
    tasks: readonly Task[],
  ): Promise<{ base: SessionState | null; isCached: boolean }> {
    const { store, cache } = this.#options;
    const cached = cache.get(sessionKey);
    if (cached && (await store.isStored(cached, seatsWithoutLegacyId(cached, tasks)))) {
      return { base: cached, isCached: true };
    }
    const lookUps = tasks.filter(needsLookUp).map(lookUpPlayer);
    const [session] = await Promise.all([store.readSession(sessionKey), ...lookUps]);
    if (!session) cache.delete(sessionKey);
    return { base: session ?? null, isCached: false };
  }

  /**
   * Disconnects end before anything is written or answered. False when one has ended already, perhaps together with the
   * seat: everything is decided again.
   */
  async #reconnect({ base, reconnects }: Batch<Task>, now: Date): Promise<boolean> {
    if (!base || reconnects.length === 0) return true;
    return this.#options.store.reconnect(base.key, reconnects, now);
  }

  /**
   * The session as it was written; undefined on a conflict with another process: everything is decided again,
   * refusals too.
   */
  async #write(batch: Batch<Task>): Promise<SessionState | null | undefined> {
    const { base, next, events, steps, stillDisconnected, newcomers } = batch;
    if (!base || !next || base === next) return next;
    const write = { base, next, events, stillDisconnected, newcomers };
    const found = await this.#options.store.writeSession(write, steps);
    return found ? withLegacyIds(next, found) : undefined;
  }
}

const mayTakeSeat = ({ seats }: SessionState, playerUuid: string | undefined): boolean => {
  if (playerUuid === undefined) return false;
  const seat = seats.get(playerUuid);
  return !seat || !isSeated(seat);
};

const answer = ({ outcomes }: Batch<Task>, session: SessionState | null): void => {
  if (session && outcomes.length > 1) enableResponseSharing(session);
  for (const { change, error } of outcomes) {
    if (error) change.reject(error);
    else if (session) change.resolve({ session });
    else change.reject(new ServiceError('session_not_found'));
  }
};

const needsLookUp = ({ lookUp, player }: SessionChange): boolean =>
  lookUp !== undefined && player === undefined;

const lookUpPlayer = async (task: Task): Promise<void> => {
  task.player = await task.lookUp?.(task.seatsPlayer ?? '');
};

/**
 * The players without a look-up whose seats are right only if they hold no legacy id. A seat that names one
 * stays right, and a seat that is not taken yet will be written.
 */
const seatsWithoutLegacyId = ({ seats }: SessionState, tasks: readonly Task[]): string[] =>
  tasks.filter(needsLookUp).flatMap(({ seatsPlayer = '' }) => {
    const seat = seats.get(seatsPlayer);
    return seat && seat.playerId === undefined ? [seatsPlayer] : [];
  });

/** The session with the legacy ids that the write has found. */
const withLegacyIds = (session: SessionState, found: FoundPlayers): SessionState => {
  if (found.length === 0) return session;
  const seats = new Map(session.seats);
  for (const { playerUuid, playerId } of found) {
    const seat = seats.get(playerUuid);
    if (seat) seats.set(playerUuid, { ...seat, playerId: seat.playerId ?? playerId });
  }
  return { ...session, seats };
};

/** Changes of one session that are decided in memory, one after the other, and written together. */
type Batch<Change extends SessionChange = SessionChange> = {
  base: SessionState | null;
  /** `base` itself, or what the changes have made of it. */
  next: SessionState | null;
  outcomes: Outcome<Change>[];
  events: TimedEvent[];
  steps: TransactionStep[];
  reconnects: Reconnect[];
  stillDisconnected: Disconnects | undefined;
  /** The players of accepted changes who may not be registered, or whose legacy ids are not known. */
  newcomers: Set<string>;
};

type Outcome<Change extends SessionChange> = {
  change: Change;
  error?: ServiceError;
  changed: boolean;
};

/** How many of the waiting changes make the next batch: one that is alone, or all up to the next such. */
const countBatch = (waiting: readonly SessionChange[]): number => {
  const next = waiting.findIndex(({ alone }) => alone);
  return next === -1 ? waiting.length : Math.max(next, 1);
};

type BatchLimits = {
  maxSessionBytes: number;
  /** For the legacy ids that the write may find. */
  reservedBytes: number;
  continueWhile?: (outcome: Outcome<SessionChange>) => boolean;
};

const limitSize = (maxSessionBytes: number, tasks: readonly SessionChange[]): BatchLimits => ({
  maxSessionBytes,
  reservedBytes: tasks.filter(needsLookUp).length * MAX_PLAYER_ID_BYTES,
});

const isTight = ({ outcomes }: Batch): boolean =>
  outcomes.some(({ error }) => error?.code === 'session_too_large');

const hasChanged = ({ changed }: Outcome<SessionChange>): boolean => changed;

/**
 * Decides the changes in order of arrival, each on the result of those before it, as long as `continueWhile`
 * holds.
 */
const decideBatch = <Change extends SessionChange>(
  base: SessionState | null,
  changes: readonly Change[],
  now: Date,
  { continueWhile = () => true, ...limit }: BatchLimits,
): Batch<Change> => {
  const batch: Batch<Change> = {
    ...{ base, next: base, outcomes: [], events: [], steps: [] },
    ...{ reconnects: [], stillDisconnected: undefined, newcomers: new Set() },
  };
  for (const change of changes) {
    const outcome = decideNext(batch, change, now, limit);
    batch.outcomes.push(outcome);
    if (!continueWhile(outcome)) break;
  }
  return batch;
};

const decideNext = <Change extends SessionChange>(
  batch: Batch<Change>,
  change: Change,
  now: Date,
  limit: BatchLimits,
): Outcome<Change> => {
  try {
    return { change, changed: apply(batch, change, now, limit) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { change, error, changed: false };
  }
};

/** True when the change makes another session. */
const apply = <Change extends SessionChange>(
  batch: Batch<Change>,
  change: Change,
  now: Date,
  limit: BatchLimits,
): boolean => {
  const before = batch.next;
  const result = change.decide(before, now, change.player);
  const after = result && batch.base && { ...result.session, version: batch.base.version + 1 };
  if (after) checkSessionSize(before, after, limit.maxSessionBytes, limit.reservedBytes);
  noteReconnect(batch, change);
  if (!after || !before) return false;
  const { accountId } = change;
  batch.next = after;
  const { player, seatsPlayer } = change;
  if (!player?.isRegistered && seatsPlayer) batch.newcomers.add(seatsPlayer);
  batch.events.push(...result.events.map((event) => ({ ...event, accountId, at: now })));
  // A change that rests on disconnects is alone in its batch.
  batch.stillDisconnected = result.stillDisconnected?.size ? result.stillDisconnected : undefined;
  if (change.inTransaction) batch.steps.push(change.inTransaction(before, after));
  return true;
};

/** Disconnects are rare: for nearly every session this is a look into an empty map. */
const noteReconnect = (
  { base, reconnects }: Batch,
  { reconnects: playerUuid, accountId }: SessionChange,
): void => {
  if (playerUuid === undefined || !base?.disconnects.has(playerUuid)) return;
  if (reconnects.some((reconnect) => reconnect.playerUuid === playerUuid)) return;
  reconnects.push({ playerUuid, accountId });
};
