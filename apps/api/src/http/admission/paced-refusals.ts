// When refusals are sent. One costs a fraction of a served request, but of a flood there are very many, and a client that is
// refused at once may ask again at once. Beyond a rate that costs little, refusals wait: the connection is silent
// meanwhile, which is what Retry-After asks of it anyway.

/** Hears that it is its turn. */
type Refusal = { refuse: () => void; since: number };

/**
 * So many per second go out at once: less than a tenth of a processor. A thousand clients that ask again as soon as they are refused all
 * hear it within a second.
 */
const AT_ONCE_PER_SECOND = 1_500;
/** Nobody waits longer than this to hear no. */
const LONGEST_MS = 2_000;
const TICK_MS = 20;
const PER_TICK = (AT_ONCE_PER_SECOND * TICK_MS) / 1_000;

export class PacedRefusals {
  #tokens = PER_TICK;
  #refilledAt = 0;
  /** Oldest first, from `#next` on. */
  #waiting: Refusal[] = [];
  #next = 0;
  #timer: NodeJS.Timeout | undefined;

  get waiting(): number {
    return this.#waiting.length - this.#next;
  }

  /** `refuse` is called now, or within two seconds of the request's arrival. */
  send(refuse: () => void, arrivedAt: number, now: number): void {
    if (this.waiting === 0 && this.#takeToken(now)) {
      refuse();
      return;
    }
    this.#waiting.push({ refuse, since: arrivedAt });
    this.#timer ??= setInterval(() => this.#tick(performance.now()), TICK_MS);
  }

  #takeToken(now: number): boolean {
    const passed = now - this.#refilledAt;
    if (passed >= TICK_MS) {
      this.#tokens = PER_TICK;
      this.#refilledAt = now;
    }
    if (this.#tokens === 0) return false;
    this.#tokens -= 1;
    return true;
  }

  #tick(now: number): void {
    for (let sent = 0; sent < PER_TICK && this.waiting > 0; sent += 1) this.#refuseNext();
    while (this.waiting > 0 && this.#isLate(now)) this.#refuseNext();
    this.#waiting.splice(0, this.#next);
    this.#next = 0;
    if (this.waiting === 0) this.#rest();
  }

  #isLate(now: number): boolean {
    return now - (this.#waiting[this.#next]?.since ?? now) > LONGEST_MS - TICK_MS;
  }

  #refuseNext(): void {
    this.#waiting[this.#next]?.refuse();
    this.#next += 1;
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    this.#next = 0;
  }
}
