// The requests of one kind: those that are being worked on, and those that wait until there is room for them.
//
// As many are worked on as keep the service and its database busy. The rest wait, but nobody longer than an answer is of use, and not
// long at all while a queue stands: the controlled delay of CoDel with adaptive LIFO, as servers use them (Maurer, "Fail at
// Scale", ACM Queue 13(8), 2015). As long as nobody waits long, the order is that of arrival. In a flood, which leaves no time for most, those
// who have just arrived are served at once instead of everybody late; and what they hold has not grown old by then, which spares
// the garbage collector a tenth of the processor.
import type { Visit } from './visit.ts';

/** How long a request of a burst may wait. */
const BURST_WAIT_MS = 400;
/** How long one may wait once the queue has not been empty for a second. */
const STANDING_WAIT_MS = 200;
const STANDING_AFTER_MS = 1_000;
/**
 * Once somebody has waited so long in a standing queue, order helps nobody. A queue may stand without that: more clients than places, each of
 * whom asks again as soon as it is answered, wait some milliseconds each.
 */
const FLOODED_WAIT_MS = STANDING_WAIT_MS / 2;

export class Lane {
  readonly #width: number;
  readonly #start: (visit: Visit, now: number) => void;
  /** Oldest first, from `#next` on; some may have left. In a flood, the newest is served first. */
  #waiting: Visit[] = [];
  #next = 0;
  #standsSince = 0;
  #underWay = 0;

  /** `width`: how many are worked on at once. `start` begins one of them. */
  constructor(width: number, start: (visit: Visit, now: number) => void) {
    this.#width = width;
    this.#start = start;
  }

  get underWay(): number {
    return this.#underWay;
  }

  get waiting(): number {
    return this.#waiting.length - this.#next;
  }

  enter(visit: Visit, now: number): void {
    if (this.waiting === 0) {
      if (this.#underWay < this.#width) {
        this.#begin(visit, now);
        return;
      }
      this.#standsSince = now;
    }
    this.#waiting.push(visit);
  }

  /** A request that was worked on is over, and the next one begins. */
  leave(now: number): void {
    this.#underWay -= 1;
    while (this.waiting > 0 && this.#underWay < this.#width) {
      const visit = this.#isFlooded(now) ? this.#takeNewest() : this.#takeOldest();
      // Who has left meanwhile is not worked for.
      if (visit && !visit.response.destroyed) this.#begin(visit, now);
    }
    this.#forgetGone();
  }

  #takeOldest(): Visit | undefined {
    this.#next += 1;
    return this.#waiting[this.#next - 1];
  }

  /** One whose connection still owes an earlier answer would hold its place until that one is given: it has to wait for its turn. */
  #takeNewest(): Visit | undefined {
    return this.#waiting.at(-1)?.response.socket ? this.#waiting.pop() : this.#takeOldest();
  }

  #isFlooded(now: number): boolean {
    const { arrivedAt = now } = this.#waiting[this.#next] ?? {};
    return this.#isStanding(now) && now - arrivedAt > FLOODED_WAIT_MS;
  }

  #isStanding(now: number): boolean {
    return now - this.#standsSince > STANDING_AFTER_MS;
  }

  #begin(visit: Visit, now: number): void {
    this.#underWay += 1;
    this.#start(visit, now);
  }

  /** Takes those out who have waited too long. */
  takeLate(now: number): Visit[] {
    const latest = now - (this.#isStanding(now) ? STANDING_WAIT_MS : BURST_WAIT_MS);
    const from = this.#next;
    while (this.waiting > 0 && (this.#waiting[this.#next]?.arrivedAt ?? 0) < latest)
      this.#next += 1;
    const late = this.#waiting.slice(from, this.#next);
    this.#forgetGone();
    return late;
  }

  /** Now and then, so that it costs nothing per request. */
  #forgetGone(): void {
    if (this.#next < 1_000 && this.waiting > 0) return;
    this.#waiting.splice(0, this.#next);
    this.#next = 0;
  }
}
