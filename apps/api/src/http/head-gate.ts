// Requests with long heads, of which many may come in one turn of the event loop: each takes a millisecond or two before its caller is known. One of
// a kind at a time passes the gate, without a slot, so that what waits here keeps nobody else waiting.
import type { ActiveRequest, RequestKind } from './active-requests.ts';
import { AdmissionQueue } from './admission-queue.ts';

const LONG_HEAD = { characters: 8_192, headers: 100 };
/** A longer time was not theirs: the process stood still meanwhile, or did something else. */
const LONGEST_REST_MS = 20;

export const hasLongHead = ({ target, request: { headers, rawHeaders } }: ActiveRequest) => {
  const { authorization = '', cookie = '' } = headers;
  return (
    target.length + authorization.length + cookie.length > LONG_HEAD.characters ||
    rawHeaders.length > 2 * LONG_HEAD.headers
  );
};

type HeadGateOptions = {
  /** How many may wait. */
  most: number;
  /** Begins one, whose client is still there. */
  pass: (active: ActiveRequest, now: number) => void;
};

type GatedKind = Exclude<RequestKind, 'probe'>;

export class HeadGate {
  readonly #options: HeadGateOptions;
  readonly #queues: Record<GatedKind, AdmissionQueue>;

  constructor(options: HeadGateOptions) {
    this.#options = options;
    const create = () => {
      const queue: AdmissionQueue = new AdmissionQueue({
        concurrency: 1,
        start: (active, now) => this.#pass(queue, active, now),
      });
      return queue;
    };
    this.#queues = { join: create(), history: create(), other: create() };
  }

  /** Of one kind, or of all. They wait as long, and in the same order, as for a slot. */
  countWaiting(kind?: GatedKind): number {
    const queues = kind ? [this.#queues[kind]] : Object.values(this.#queues);
    return queues.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** False where too many wait. */
  enter(active: ActiveRequest, kind: GatedKind): boolean {
    if (this.countWaiting() >= this.#options.most) return false;
    this.#queues[kind].enter(active, active.arrivedAt);
    return true;
  }

  /** Removes the requests that have waited too long, and returns those whose clients are still there. */
  takeExpired(now: number): ActiveRequest[] {
    const expired = Object.values(this.#queues).flatMap((queue) => queue.takeExpired(now));
    return expired.filter(({ response }) => !response.destroyed);
  }

  /** The next one comes when everything else has had as long as this one took. */
  #pass(queue: AdmissionQueue, active: ActiveRequest, now: number): void {
    // What it does before it waits for something is done by then.
    setImmediate(() => {
      const restMs = Math.min(performance.now() - now, LONGEST_REST_MS);
      setTimeout(() => queue.leave(performance.now()), restMs).unref();
    });
    const { request, response } = active;
    if (!response.destroyed && !request.socket.destroyed) this.#options.pass(active, now);
  }
}
