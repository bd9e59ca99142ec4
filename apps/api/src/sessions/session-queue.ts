// One queue per session and process: changes of one session are decided one after the other in memory
// and written together, so that only other processes can make a write conflict.
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../errors/service-error.ts';
import type { ChangeResult } from './change-result.ts';
import { isSeated } from './seat-rules.ts';
import type { Return } from './session-absence-store.ts';
import type { SessionMemory } from './session-memory.ts';
import { createSessionMemory } from './session-memory.ts';
import type { Absences, SessionState } from './session-state.ts';
import type { SessionStore, TransactionStep } from './session-store.ts';
import type { TimedEvent } from './session-write.ts';
import { UnstorableError } from './session-write.ts';

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
  /**
   * The player for whom the change takes a seat. As long as the player is not seated, it may be decided on what the
   * process remembers of the session: the write checks that. Those who are seated may be marked absent, which no
   * version tells.
   */
  newcomer?: string;
  /** Runs in the transaction of the write with the state before and after; forces a transaction. */
  inTransaction?: (before: SessionState, after: SessionState) => TransactionStep;
};

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
  /** Hears on what each round was decided that was settled. */
  onDecided?: (source: 'memory' | 'database') => void;
};

type Task = SessionChange & {
  resolve: (session: SessionState) => void;
  reject: (error: unknown) => void;
};

type Verdict = { task: Task; error?: ServiceError; changed: boolean };

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
    this.#options = {
      ...{ now: () => new Date(), maxAttempts: 24, maxWaiting: 10_000 },
      ...{ onConflict: () => {}, onDecided: () => {}, memory: createSessionMemory() },
      ...options,
    };
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
   * Only what a write confirms rests on memory; a refusal, or an answer that changes nothing, never does.
   */
  async #attemptFromMemory(sessionKey: string, tasks: Task[]): Promise<boolean> {
    const { memory, onConflict, onDecided } = this.#options;
    const base = memory.recall(sessionKey);
    if (!base || !tasks.every(({ newcomer }) => isNewcomer(base, newcomer))) return false;
    const round = decideAll(base, tasks, this.#options.now(), ({ changed }) => changed);
    if (!round.verdicts.every(({ changed }) => changed)) return false;
    if (!(await this.#write(round))) {
      onConflict();
      memory.contest(sessionKey);
      return false;
    }
    onDecided('memory');
    answer(round);
    return true;
  }

  async #attempt(sessionKey: string, tasks: Task[]): Promise<void> {
    const { maxAttempts, onConflict, onDecided } = this.#options;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const base = await this.#read(sessionKey);
      const now = this.#options.now();
      const round = decideAll(base, tasks, now);
      if ((await this.#welcomeBack(round, now)) && (await this.#write(round))) {
        onDecided('database');
        answer(round);
        return;
      }
      onConflict();
      await delay(Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS));
    }
    for (const task of tasks) task.reject(new ServiceError('session_busy'));
  }

  /** What is stored now. What is remembered need not be read again once it is known to be that. */
  async #read(sessionKey: string): Promise<SessionState | null> {
    const { store, memory } = this.#options;
    const remembered = memory.recall(sessionKey);
    if (remembered && (await store.isStored(remembered))) return remembered;
    return (await store.readSession(sessionKey)) ?? null;
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
    if (!base || !next) return true;
    const { store, memory } = this.#options;
    const write = { base, next, events, stillAbsent };
    const written = base === next || (await store.writeSession(write, steps));
    if (written) memory.remember(next);
    return written;
  }
}

const isNewcomer = ({ seats }: SessionState, player: string | undefined): boolean => {
  if (player === undefined) return false;
  const seat = seats.get(player);
  return !seat || !isSeated(seat);
};

/** How many of the tasks that wait make the next round: one that is alone, or all up to the next such. */
const countRound = (tasks: readonly Task[]): number => {
  const next = tasks.findIndex(({ alone }) => alone);
  return next === -1 ? tasks.length : Math.max(next, 1);
};

/** Decides the tasks in the order of their arrival, each on what those before it have left, as long as `goesOn`. */
const decideAll = (
  base: SessionState | null,
  tasks: readonly Task[],
  now: Date,
  goesOn: (verdict: Verdict) => boolean = () => true,
): Round => {
  const round: Round = {
    ...{ base, next: base, verdicts: [], events: [], steps: [] },
    ...{ returns: [], stillAbsent: undefined },
  };
  for (const task of tasks) {
    const verdict = decideNext(round, task, now);
    round.verdicts.push(verdict);
    if (!goesOn(verdict)) break;
  }
  return round;
};

const decideNext = (round: Round, task: Task, now: Date): Verdict => {
  try {
    return { task, changed: apply(round, task, now) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { task, error, changed: false };
  }
};

/** True when the task changes the session. */
const apply = (round: Round, task: Task, now: Date): boolean => {
  const before = round.next;
  const result = task.decide(before, now);
  noteReturn(round, task);
  if (!result || !round.base || !before) return false;
  const after = { ...result.session, version: round.base.version + 1 };
  const { accountId } = task;
  round.next = after;
  round.events.push(...result.events.map((event) => ({ ...event, accountId, at: now })));
  // A change that rests on marks stands alone in its round.
  round.stillAbsent = result.stillAbsent?.size ? result.stillAbsent : undefined;
  if (task.inTransaction) round.steps.push(task.inTransaction(before, after));
  return true;
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
