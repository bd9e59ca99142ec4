// Ends what has outlived its session type: held seats, seats of absent players, ended sessions. In batches, one
// process at a time, through the queue that joins go through; it can be stopped between any two of them.
import { repeat } from '../background/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SessionQueue } from './session-queue.ts';
import type { ExpiredSeat, SessionSweepStore } from './session-sweep-store.ts';
import { SERVICE_ACCOUNT } from './session-sweep-store.ts';
import { sweepSession } from './sweep-rules.ts';

const SEATS_PER_BATCH = 500;
const SESSIONS_AT_ONCE = 8;
const ENDED_PER_BATCH = 50;
const EVENTS_PER_BATCH = 5_000;
const INTERVAL_MS = 5_000;

export type SweepCounters = {
  countExpiredSeats(seats: number): void;
  countDeletedSessions(sessions: number): void;
};

export type SessionSweeperOptions = {
  store: SessionSweepStore;
  queue: Pick<SessionQueue, 'change'>;
  counters: SweepCounters;
  /** Hears why a sweep ended early; the next one tries again. */
  onFailure: (error: unknown) => void;
  now?: () => Date;
  intervalMs?: number;
};

export type SessionSweeper = {
  /** Sweeps once. False when another process is at it. */
  sweep(signal?: AbortSignal): Promise<boolean>;
  /** Sweeps from time to time until what it answers is called, which waits for the batch in hand. */
  start(): () => Promise<void>;
};

export const createSessionSweeper = (options: SessionSweeperOptions): SessionSweeper => {
  const { store, onFailure, intervalMs = INTERVAL_MS } = options;
  const sweep = (signal: AbortSignal = new AbortController().signal) =>
    store.runAlone(() => sweepAll(options, signal));
  const start = () => repeat(sweep, { intervalMs, onFailure });
  return { sweep, start };
};

const clock = () => new Date();

const sweepAll = async (options: SessionSweeperOptions, signal: AbortSignal): Promise<void> => {
  const { store, now = clock } = options;
  const lives = await store.readLives();
  if (lives.held) await sweepSeats(options, store.findHeldSeats, signal);
  if (lives.absent) await sweepSeats(options, store.findAbsentSeats, signal);
  for (const { type, seconds } of lives.retentions) {
    const until = new Date(now().getTime() - seconds * 1000);
    await deleteEnded(options, type, until, signal);
  }
};

const sweepSeats = async (
  options: SessionSweeperOptions,
  findSeats: SessionSweepStore['findHeldSeats'],
  signal: AbortSignal,
): Promise<void> => {
  const { now = clock } = options;
  const moment = now();
  for (let after: ExpiredSeat | null = null; !signal.aborted; ) {
    const seats: ExpiredSeat[] = await findSeats(moment, after, SEATS_PER_BATCH);
    const keys = [...new Set(seats.map(({ sessionKey }) => sessionKey))];
    for (let first = 0; first < keys.length && !signal.aborted; first += SESSIONS_AT_ONCE) {
      const some = keys.slice(first, first + SESSIONS_AT_ONCE);
      await Promise.all(some.map((key) => sweepOne(options, key)));
    }
    after = seats.at(-1) ?? null;
    if (seats.length < SEATS_PER_BATCH) return;
  }
};

/** A session that has ended, or is too busy, is left to the next sweep. */
const sweepOne = async (
  { queue, counters }: SessionSweeperOptions,
  sessionKey: string,
): Promise<void> => {
  let expired = 0;
  try {
    await queue.change(sessionKey, {
      accountId: SERVICE_ACCOUNT,
      alone: true,
      decide: (session, at) => {
        const result = session && sweepSession(session, at);
        expired = result?.events.filter(({ kind }) => kind === 'seat_expired').length ?? 0;
        return result;
      },
    });
    counters.countExpiredSeats(expired);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
};

/** Events first, in batches of their own: a session may have had any number of them. */
const deleteEnded = async (
  { store, counters, now = clock }: SessionSweeperOptions,
  type: string,
  until: Date,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const keys = await store.findEnded(type, until, ENDED_PER_BATCH);
    if (keys.length === 0) return;
    while (!signal.aborted) {
      const deleted = await store.deleteEvents(keys, until, EVENTS_PER_BATCH);
      if (deleted < EVENTS_PER_BATCH) break;
    }
    if (signal.aborted) return;
    counters.countDeletedSessions(await store.deleteSessions({ type, keys, until, now: now() }));
  }
};
