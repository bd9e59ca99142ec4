// The requests of one kind: those that run, and those that wait for a slot or for the next round of the event loop.
//
// As many run as keep the service and its database busy. The rest wait, but no longer than an answer is of use, and only
// briefly while a queue stands: the controlled delay of CoDel with adaptive LIFO, as servers use them (Maurer, "Fail at
// Scale", ACM Queue 13(8), 2015). While waits are short, the order is that of arrival. In a flood, which leaves no time for
// most requests, the newest are served at once instead of all of them late. What they hold has not grown old by then, which
// spares the garbage collector a tenth of the processor.
import type { ActiveRequest } from './active-requests.ts';

/** How long a request of a burst may wait. */
const BURST_WAIT_MS = 400;
/** How long a request may wait once the queue has not been empty for a second. */
const STANDING_WAIT_MS = 200;
const STANDING_AFTER_MS = 1_000;
/**
 * Once a request has waited this long in a standing queue, order is of no use. A queue may stand without that: more clients
 * than slots, each of which asks again as soon as it is answered, wait some milliseconds each.
 */
const FLOODED_WAIT_MS = STANDING_WAIT_MS / 2;

/** Once a request has waited for so long there is no rest between rounds: a probe that is late looks like a process that is gone. */
const LONGEST_WITH_RESTS_MS = 250;

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

type AdmissionQueueOptions = {
  /** How many run at once. Absent: any number. */
  concurrency?: number;
  /**
   * No more requests begin in a round of the event loop in which they have begun for so long. A request that is
   * refused, or waits without its slot, lets the next one begin before anything else of the process goes on: a thousand
   * of them would be one step of a tenth of a second. Absent: no limit.
   */
  roundMs?: number;
  /**
   * After a round that was full, none begins for so long. Who asks again at once would fill each round, and a join takes some rounds. Absent:
   * the next round begins as soon as everything else has had its turn.
   */
  restMs?: number;
  /** Begins one of them. */
  start: (active: ActiveRequest, now: number) => void;
  /** Calls back when everything else has had its turn, and after so many milliseconds. */
  inNextRound?: (goOn: (now: number) => void, restMs: number) => void;
  clock?: () => number;
};

export class AdmissionQueue {
  readonly #options: Required<AdmissionQueueOptions>;
  /** Oldest first, from `#next` on; some may have disconnected. In a flood, the newest is served first. */
  #waiting: ActiveRequest[] = [];
  #next = 0;
  #standsSince = 0;
  #running = 0;
  /** When the first request of this round began. The rest behind a full one is part of it. */
  #roundSince: number | undefined;
  #isBeginning = false;
  #latest = 0;

  constructor(options: AdmissionQueueOptions) {
    const inNextRound = (goOn: (now: number) => void, restMs: number) => {
      const begin = () => goOn(performance.now());
      if (restMs > 0) setTimeout(begin, restMs);
      else setImmediate(begin);
    };
    const { POSITIVE_INFINITY } = Number;
    const unlimited = { concurrency: POSITIVE_INFINITY, roundMs: POSITIVE_INFINITY, restMs: 0 };
    this.#options = { ...unlimited, inNextRound, clock: () => performance.now(), ...options };
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length - this.#next;
  }

  enter(active: ActiveRequest, now: number): void {
    if (this.waiting === 0) {
      if (this.#mayBegin(now)) {
        this.#begin(active, now);
        return;
      }
      this.#standsSince = now;
    }
    this.#waiting.push(active);
  }

  /** Frees the slot of a request that is over, and begins the next one. */
  leave(now: number): void {
    this.#running -= 1;
    this.#beginWaiting(now);
  }

  #beginWaiting(now: number): void {
    this.#latest = now;
    // `start` may call `leave` before it returns: the loop that runs already begins the next one.
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    try {
      while (this.waiting > 0 && this.#mayBegin(this.#latest)) {
        const active = this.#isFlooded(this.#latest) ? this.#waiting.pop() : this.#takeOldest();
        // A client that has disconnected meanwhile is not served.
        if (!active || active.response.destroyed) continue;
        this.#begin(active, this.#latest);
        // It may go on after this, so that nothing else says how long it took to begin.
        this.#latest = Math.max(this.#latest, this.#options.clock());
      }
    } finally {
      this.#isBeginning = false;
    }
    this.#dropTaken();
  }

  /** Removes the requests that have waited too long, and returns them. */
  takeExpired(now: number): ActiveRequest[] {
    const latest = now - (this.#isStanding(now) ? STANDING_WAIT_MS : BURST_WAIT_MS);
    const from = this.#next;
    while (this.waiting > 0 && (this.#waiting[this.#next]?.arrivedAt ?? 0) < latest)
      this.#next += 1;
    const expired = this.#waiting.slice(from, this.#next);
    this.#dropTaken();
    return expired;
  }

  #takeOldest(): ActiveRequest | undefined {
    this.#next += 1;
    return this.#waiting[this.#next - 1];
  }

  #isFlooded(now: number): boolean {
    const { arrivedAt = now } = this.#waiting[this.#next] ?? {};
    return this.#isStanding(now) && now - arrivedAt > FLOODED_WAIT_MS;
  }

  #isStanding(now: number): boolean {
    return now - this.#standsSince > STANDING_AFTER_MS;
  }

  #mayBegin(now: number): boolean {
    const { concurrency, roundMs } = this.#options;
    if (this.#running >= concurrency) return false;
    if (this.#roundSince === undefined) {
      this.#roundSince = now;
      this.#options.inNextRound(this.#endRound, 0);
    }
    return now - this.#roundSince < roundMs;
  }

  readonly #endRound = (now: number): void => {
    const { restMs } = this.#options;
    const oldest = this.#waiting[this.#next];
    if (restMs > 0 && oldest && now - oldest.arrivedAt < LONGEST_WITH_RESTS_MS) {
      this.#options.inNextRound(this.#beginRound, restMs);
    } else this.#beginRound(now);
  };

  readonly #beginRound = (now: number): void => {
    this.#roundSince = undefined;
    this.#beginWaiting(now);
  };

  #begin(active: ActiveRequest, now: number): void {
    this.#running += 1;
    this.#options.start(active, now);
  }

  /** Only now and then, so that it costs nothing per request. */
  #dropTaken(): void {
    if (this.#next < 1_000 && this.waiting > 0) return;
    this.#waiting.splice(0, this.#next);
    this.#next = 0;
  }
}
