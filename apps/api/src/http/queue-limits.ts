// How many requests of each kind run at once, and how those that come together begin.

/**
 * What two statements write, and what fills the next one meanwhile. The garbage collector has to copy what is in progress: with
 * 128, a flood left 5 % fewer joins.
 */
const JOINS_AT_ONCE = 72;
/**
 * Fewer than the connections that read them: pages are costly, no more of them are answered by running more, and joins wait for each
 * that runs, in this process and in the database.
 */
const HISTORIES_AT_ONCE = 4;
/** All joins that may run at once mostly begin within this time, so that they still fill one statement. */
const JOINS_ROUND_MS = 10;
/** A join takes some rounds of the event loop, and waits for the histories of each. */
const HISTORIES_ROUND_MS = 2;
/** What is answered at once takes a part of a millisecond, and some dozens of them that come together are no longer one step. */
const OTHERS_ROUND_MS = 1;
/** Who asks again at once, with a hundred connections, has a fifth of the process and not all of it. */
const OTHERS_REST_MS = 4;

/** For the queues of an admission. A probe begins as all other requests do. */
export const QUEUE_LIMITS = {
  join: { concurrency: JOINS_AT_ONCE, roundMs: JOINS_ROUND_MS },
  history: { concurrency: HISTORIES_AT_ONCE, roundMs: HISTORIES_ROUND_MS },
  other: { roundMs: OTHERS_ROUND_MS, restMs: OTHERS_REST_MS },
};
