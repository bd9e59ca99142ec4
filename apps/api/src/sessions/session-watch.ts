// Waits for changes of sessions. A change that this process writes ends the waits for its session at once. Changes of other
// processes are found by comparing the stored versions once a second.
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { LongPoll } from '../flow/index.ts';
import { repeat } from '../platform/index.ts';
import type { SessionState } from './session.ts';
import { etagOf } from './session-resource.ts';
import type { KnownState, SessionStore } from './session-store.ts';

/** What a caller sees of a session. */
type Sight<View> = {
  view: View;
  /** The ETag of the session when the caller has this state already, so the watch waits for a change. */
  knownEtag: string | undefined;
};

type WatchOptions<View> = {
  sessionKey: string;
  /** The account of the caller. */
  callerId: string;
  /** Milliseconds; 0 replies at once. */
  waitMs: number;
  longPoll: LongPoll;
  read: () => Promise<Sight<View>>;
};

type SessionWatchOptions = {
  store: Pick<SessionStore, 'findChanged'>;
  onFailure: (error: unknown) => void;
};

type Waiting = {
  /** Undefined until the session has been read. */
  etag: string | undefined;
  /** The ETag after the newest change that this process has written since. */
  written: string | undefined;
  end: () => void;
};

/** A caller is answered within a second, and a check with its reply takes up to 100 ms. */
const CHECK_MS = 900;
/** Keys in one statement, so that other requests run in between. */
const MAX_CHECKED = 1_000;

/** Milliseconds between two responses about one session to one caller. */
const MIN_INTERVAL_MS = 250;
const MAX_CALLERS = 50_000;

export type SessionWatch = ReturnType<typeof createSessionWatch>;

export const createSessionWatch = ({ store, onFailure }: SessionWatchOptions) => {
  const waitingByKey = new Map<string, Set<Waiting>>();
  const repliedAt = new LRUCache<string, number>({ max: MAX_CALLERS });

  const add = (sessionKey: string): Waiting => {
    const waiting: Waiting = { etag: undefined, written: undefined, end: () => {} };
    const others = waitingByKey.get(sessionKey);
    if (others) others.add(waiting);
    else waitingByKey.set(sessionKey, new Set([waiting]));
    return waiting;
  };

  const remove = (sessionKey: string, waiting: Waiting): void => {
    const all = waitingByKey.get(sessionKey);
    all?.delete(waiting);
    if (all?.size === 0) waitingByKey.delete(sessionKey);
  };

  /** Compares the awaited sessions with what is stored. */
  const check = async (): Promise<void> => {
    const known: KnownState[] = [];
    for (const [key, all] of waitingByKey) {
      let last: string | undefined;
      for (const { etag } of all) {
        // Most callers of a session know the same state. A state that is compared twice does no harm.
        if (etag !== undefined && etag !== last) known.push({ key, etag });
        last = etag;
      }
    }
    for (let first = 0; first < known.length; first += MAX_CHECKED) {
      const outdated = await store.findChanged(known.slice(first, first + MAX_CHECKED));
      for (const { key, etag } of outdated) {
        for (const waiting of waitingByKey.get(key) ?? []) {
          if (waiting.etag === etag) waiting.end();
        }
      }
    }
  };

  return {
    /** A change of this process has been written. */
    noteChange: (session: SessionState): void => {
      const all = waitingByKey.get(session.key);
      if (!all) return;
      const written = etagOf(session);
      for (const waiting of all) {
        waiting.written = written;
        if (waiting.etag !== written) waiting.end();
      }
    },

    /** Replies with what the caller does not know yet, or with the known state after the wait. */
    watch: async <View>({
      sessionKey,
      callerId,
      waitMs,
      longPoll,
      read,
    }: WatchOptions<View>): Promise<View> => {
      if (waitMs === 0) return (await read()).view;
      const until = performance.now() + waitMs;
      const caller = `${callerId} ${sessionKey}`;
      const earliest = (repliedAt.get(caller) ?? Number.NEGATIVE_INFINITY) + MIN_INTERVAL_MS;
      // Before the read, so that no change is missed between the two.
      const waiting = add(sessionKey);
      try {
        const { view, knownEtag } = await read();
        if (knownEtag === undefined && performance.now() >= earliest) return view;
        const { isCut } = await longPoll(async (signal) => {
          if (knownEtag !== undefined) {
            waiting.etag = knownEtag;
            const isKnown = (waiting.written ?? knownEtag) === knownEtag;
            if (isKnown) await untilEnded(waiting, until - performance.now(), signal);
          }
          await pause(earliest - performance.now(), signal);
        });
        return isCut ? view : (await read()).view;
      } finally {
        remove(sessionKey, waiting);
        repliedAt.set(caller, performance.now());
      }
    },

    check,

    /** Call the result to stop. */
    start: (): (() => Promise<void>) => repeat(check, { intervalMs: CHECK_MS, onFailure }),
  };
};

/** Resolves when the wait is ended, times out, or the signal is aborted. */
const untilEnded = (waiting: Waiting, waitMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, waitMs));
    waiting.end = end;
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => {});
};
