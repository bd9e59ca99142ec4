// One queue per session and process: changes of one session are decided one after the other in memory
// and written together, so that only other processes can make a write conflict.
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../errors/service-error.ts';
import type { ChangeResult } from './change-result.ts';
import type { Return } from './session-absence-store.ts';
import type { Absences, SessionState } from './session-state.ts';
import type { SessionStore, TimedEvent, TransactionStep } from './session-store.ts';
import { UnstorableError } from './session-store.ts';

export type SessionChange = {
  /**
   * Decides on the newest state, null when there is no such session; called again after a conflict.
   * Answers null to leave the session as it is, and throws a ServiceError to refuse.
   */
  decide(session: SessionState | null, now: Date): ChangeResult | null;
  accountId: string;
  /**
   * Settled in a round of its own. Those who share a round are answered with the same session, so a
   * change that may undo another one, such as a kick, must not share a round with it.
   */
  alone?: boolean;
  /** The player whom the change, once it is accepted, shows to be there: it ends a mark of absence. */
  returning?: string;
  /** Runs in the transaction of the write with the state before and after; forces a transaction. */
  inTransaction?: (before: SessionState, after: SessionState) => TransactionStep;
};

export type SessionQueueOptions = {
  store: Pick<SessionStore, 'readSession' | 'writeSession' | 'endAbsences'>;
  now?: () => Date;
  /** Writes that may fail on a conflict before the waiting changes are refused as `session_busy`. */
  maxAttempts?: number;
  /** Changes that may wait in this process; more are refused as `service_overloaded` at once. */
  maxWaiting?: number;
  onConflict?: () => void;
};

type Task = SessionChange & {
  resolve: (session: SessionState) => void;
  reject: (error: unknown) => void;
};

type Verdict = { task: Task; error?: ServiceError };

type Round = {
  base: SessionState | null;
  next: SessionState | null;
  verdicts: Verdict[];
  events: TimedEvent[];
  steps: TransactionStep[];
  returns: Return[];
  stillAbsent: Absences | undefined;
};

const MAX_PAUSE_MS = 40;

export class SessionQueue {
  readonly #options: Required<SessionQueueOptions>;
  /** Tasks that wait, by session key. A key is present while its queue is being worked off. */
  readonly #waiting = new Map<string, Task[]>();
  #count = 0;

  constructor(options: SessionQueueOptions) {
    const defaults = { now: () => new Date(), maxAttempts: 24, maxWaiting: 10_000 };
    this.#options = { ...defaults, onConflict: () => {}, ...options };
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
    const task: Task = { ...change, resolve, reject };
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
      await this.#settle(sessionKey, tasks);
    }
    this.#waiting.delete(sessionKey);
  }

  /** A failure that one change may have caused is looked for by running each alone. */
  async #settle(sessionKey: string, tasks: Task[]): Promise<void> {
    try {
      await this.#attempt(sessionKey, tasks);
    } catch (error) {
      const mayBeOneOfThem = error instanceof ServiceError || error instanceof UnstorableError;
      if (tasks.length === 1 || !mayBeOneOfThem) {
        for (const task of tasks) task.reject(error);
        return;
      }
      for (const task of tasks) await this.#settle(sessionKey, [task]);
    }
  }

  async #attempt(sessionKey: string, tasks: Task[]): Promise<void> {
    const { store, maxAttempts, onConflict } = this.#options;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const base = (await store.readSession(sessionKey)) ?? null;
      const now = this.#options.now();
      const round = decideAll(base, tasks, now);
      if ((await this.#welcomeBack(round, now)) && (await this.#write(round))) {
        answer(round);
        return;
      }
      onConflict();
      await delay(Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS));
    }
    for (const task of tasks) task.reject(new ServiceError('session_busy'));
  }

  /**
   * Marks of absence go before anything is written or answered. False when one has gone, and the seat perhaps with
   * it: whoever deletes a mark first decides, and everything is decided afresh.
   */
  async #welcomeBack({ base, returns }: Round, now: Date): Promise<boolean> {
    if (!base || returns.length === 0) return true;
    return this.#options.store.endAbsences(base.key, returns, now);
  }

  /** False on a conflict with another process: everything is decided afresh, refusals too. */
  async #write({ base, next, events, steps, stillAbsent }: Round): Promise<boolean> {
    if (!base || !next || base === next) return true;
    return this.#options.store.writeSession({ base, next, events, stillAbsent }, steps);
  }
}

/** How many of the tasks that wait make the next round: one that is alone, or all up to the next such. */
const countRound = (tasks: readonly Task[]): number => {
  const next = tasks.findIndex(({ alone }) => alone);
  return next === -1 ? tasks.length : Math.max(next, 1);
};

/** Decides the tasks in the order of their arrival, each on what those before it have left. */
const decideAll = (base: SessionState | null, tasks: readonly Task[], now: Date): Round => {
  const round: Round = {
    ...{ base, next: base, verdicts: [], events: [], steps: [] },
    ...{ returns: [], stillAbsent: undefined },
  };
  for (const task of tasks) {
    try {
      apply(round, task, now);
      round.verdicts.push({ task });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      round.verdicts.push({ task, error });
    }
  }
  return round;
};

const apply = (round: Round, task: Task, now: Date): void => {
  const before = round.next;
  const result = task.decide(before, now);
  noteReturn(round, task);
  if (!result || !round.base || !before) return;
  const after = { ...result.session, version: round.base.version + 1 };
  const { accountId } = task;
  round.next = after;
  round.events.push(...result.events.map((event) => ({ ...event, accountId, at: now })));
  // A change that rests on marks stands alone in its round.
  round.stillAbsent = result.stillAbsent?.size ? result.stillAbsent : undefined;
  if (task.inTransaction) round.steps.push(task.inTransaction(before, after));
};

/** Marks are rare: for nearly every session this is a look into an empty map. */
const noteReturn = ({ base, returns }: Round, { returning, accountId }: Task): void => {
  if (returning === undefined || !base?.absences.has(returning)) return;
  if (returns.some(({ playerUuid }) => playerUuid === returning)) return;
  returns.push({ playerUuid: returning, accountId });
};

const answer = ({ next, verdicts }: Round): void => {
  for (const { task, error } of verdicts) {
    if (error) task.reject(error);
    else if (next) task.resolve(next);
    else task.reject(new ServiceError('session_not_found'));
  }
};
