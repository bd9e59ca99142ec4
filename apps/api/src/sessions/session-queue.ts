// One queue per session and process. Waiting changes of a session are decided in order in memory and written as one
// batch, so that only other processes can cause a write conflict.
import { setTimeout as delay } from 'node:timers/promises';
import { captureOrigin, traceBatch } from '../flow/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { SessionState } from './session.ts';
import { isSeated } from './session.ts';
import type { Batch, SessionChange, Task } from './session-batch.ts';
import { decideBatch, isTight, needsLookUp } from './session-batch.ts';
import type { SessionCache } from './session-cache.ts';
import { enableResponseSharing } from './session-resource.ts';
import type { FoundPlayers } from './session-sql.ts';
import type { SessionStore } from './session-store.ts';
import { UnstorableError } from './session-store.ts';

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

/** The size of the next batch: one exclusive change, or all changes before the next exclusive one. */
const countBatch = (waiting: readonly Task[]): number => {
  const next = waiting.findIndex(({ alone }) => alone);
  return next === -1 ? waiting.length : Math.max(next, 1);
};
