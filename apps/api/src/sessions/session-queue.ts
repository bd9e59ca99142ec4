// One queue per session and process: changes of one session are decided one after the other in memory
// and written together, so that only other processes can make a write conflict.
import { setTimeout as delay } from 'node:timers/promises';
import { captureOrigin, runForAll } from '../batching/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import { isSeated } from './seat-rules.ts';
import type { SessionMemory } from './session-memory.ts';
import { createSessionMemory } from './session-memory.ts';
import type { Round, SessionChange } from './session-round.ts';
import { countRound, decideAll } from './session-round.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStore } from './session-store.ts';
import { UnstorableError } from './session-write.ts';
import { expectSharing } from './shared-resource.ts';
import { introduce, listStrangers, listUnnumbered } from './strangers.ts';

export type SessionQueueOptions = {
  store: Pick<SessionStore, 'readSession' | 'isStored' | 'writeSession' | 'endAbsences'>;
  memory?: SessionMemory;
  now?: () => Date;
  /** Writes that may fail on a conflict before the waiting changes are refused as `session_busy`. */
  maxAttempts?: number;
  /** Changes that may wait in this process; more are refused as `service_overloaded` at once. */
  maxWaiting?: number;
  /** Hears of each write that found the session changed by another process. */
  onConflict?: () => void;
  /** Hears of each look for a remembered session, and whether it was there. */
  onLook?: (isHit: boolean) => void;
  /** Hears on what each round was decided that was settled. */
  onDecided?: (source: 'memory' | 'database') => void;
};

type Task = SessionChange & {
  resolve: (session: SessionState) => void;
  reject: (error: unknown) => void;
  origin: unknown;
};

const MAX_PAUSE_MS = 40;

export class SessionQueue {
  readonly #options: Required<SessionQueueOptions>;
  /** Tasks that wait, by session key. A key is present while its queue is being worked off, which leaves it empty (see PassingList). */
  readonly #waiting = new Map<string, Task[]>();
  #count = 0;

  constructor(options: SessionQueueOptions) {
    this.#options = {
      ...{ now: () => new Date(), maxAttempts: 24, maxWaiting: 10_000 },
      ...{
        onConflict: () => {},
        onDecided: () => {},
        onLook: () => {},
        memory: createSessionMemory(),
      },
      ...options,
    };
  }

  /** How many changes wait, or are being decided. */
  get waiting(): number {
    return this.#count;
  }

  /** Applies one change and answers the session as it is stored afterwards. */
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
      void this.#workOff(sessionKey);
    }
    return promise;
  }

  /** Takes what waits for a session, settles it together, and goes on until nothing is left. */
  async #workOff(sessionKey: string): Promise<void> {
    for (;;) {
      const waiting = this.#waiting.get(sessionKey) ?? [];
      if (waiting.length === 0) break;
      const tasks = waiting.splice(0, countRound(waiting));
      const listOrigins = () => tasks.map(({ origin }) => origin);
      await runForAll('decide', listOrigins, () => this.#settle(sessionKey, tasks));
    }
    this.#waiting.delete(sessionKey);
  }

  /** A failure that one change may have caused is looked for by running each alone. */
  async #settle(sessionKey: string, tasks: Task[]): Promise<void> {
    try {
      if (await this.#attemptFromMemory(sessionKey, tasks)) return;
      await this.#attempt(sessionKey, tasks);
    } catch (error) {
      this.#options.memory.forget(sessionKey);
      const mayBeOneOfThem = error instanceof ServiceError || error instanceof UnstorableError;
      if (tasks.length === 1 || !mayBeOneOfThem) {
        for (const task of tasks) task.reject(error);
        return;
      }
      for (const task of tasks) await this.#settle(sessionKey, [task]);
    }
  }

  /**
   * False when the remembered session does not do: then nothing is answered, and all is decided on what is stored now.
   * Here, only what a write confirms rests on memory; a refusal, or an answer that changes nothing, is left to #attempt.
   */
  async #attemptFromMemory(sessionKey: string, tasks: Task[]): Promise<boolean> {
    const { memory, onConflict, onDecided, onLook } = this.#options;
    const base = memory.recall(sessionKey);
    onLook(base !== undefined);
    if (!base || !tasks.every(({ newcomer }) => isNewcomer(base, newcomer))) return false;
    const round = decideAll(base, tasks, this.#options.now(), ({ changed }) => changed);
    if (!round.verdicts.every(({ changed }) => changed)) return false;
    const written = await this.#write(round);
    if (!written) {
      onConflict();
      memory.contest(sessionKey);
      return false;
    }
    onDecided('memory');
    answer(written);
    if (written.next) memory.remember(written.next);
    return true;
  }

  async #attempt(sessionKey: string, tasks: Task[]): Promise<void> {
    const { maxAttempts, memory, onConflict, onDecided } = this.#options;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { base, isRemembered } = await this.#read(sessionKey, tasks);
      const now = this.#options.now();
      const round = decideAll(base, tasks, now);
      const written = (await this.#welcomeBack(round, now)) && (await this.#write(round));
      if (written) {
        onDecided('database');
        answer(written);
        const { next } = written;
        if (next && !(isRemembered && next === base)) memory.remember(next);
        return;
      }
      onConflict();
      await delay(Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS));
    }
    for (const task of tasks) task.reject(new ServiceError('session_busy'));
  }

  /** What is stored now. What is remembered need not be read again once it is known to be that. */
  async #read(
    sessionKey: string,
    tasks: readonly Task[],
  ): Promise<{ base: SessionState | null; isRemembered: boolean }> {
    const { store, memory } = this.#options;
    const remembered = memory.recall(sessionKey);
    if (remembered) {
      const unnumbered = listUnnumbered(remembered, tasks);
      if (await store.isStored(remembered, unnumbered)) {
        return { base: remembered, isRemembered: true };
      }
    }
    const lookUps = listStrangers(tasks).map((stranger) => stranger.lookUp());
    const [session] = await Promise.all([store.readSession(sessionKey), ...lookUps]);
    if (!session) memory.forget(sessionKey);
    return { base: session ?? null, isRemembered: false };
  }

  /**
   * Marks of absence go before anything is written or answered. False when one has gone, and the seat perhaps with
   * it: whoever deletes a mark first decides, and everything is decided afresh.
   */
  async #welcomeBack({ base, returns }: Round, now: Date): Promise<boolean> {
    if (!base || returns.length === 0) return true;
    return this.#options.store.endAbsences(base.key, returns, now);
  }

  /** The round as it was written; null on a conflict with another process: everything is decided afresh, refusals too. */
  async #write(round: Round<Task>): Promise<Round<Task> | null> {
    const { base, next, events, steps, stillAbsent } = round;
    if (!base || !next) return round;
    const strangers = new Set(round.strangers.map(({ playerUuid }) => playerUuid));
    const write = { base, next, events, stillAbsent, strangers };
    const written = base === next ? [] : await this.#options.store.writeSession(write, steps);
    return written && { ...round, next: introduce(next, round.strangers, written) };
  }
}

const isNewcomer = ({ seats }: SessionState, player: string | undefined): boolean => {
  if (player === undefined) return false;
  const seat = seats.get(player);
  return !seat || !isSeated(seat);
};

const answer = ({ next, verdicts }: Round<Task>): void => {
  if (next && verdicts.length > 1) expectSharing(next);
  for (const { change, error } of verdicts) {
    if (error) change.reject(error);
    else if (next) change.resolve(next);
    else change.reject(new ServiceError('session_not_found'));
  }
};
