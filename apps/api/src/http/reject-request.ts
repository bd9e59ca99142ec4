// Rejections of requests that are not admitted: what they say, and when they are sent.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '@muster/contract';
import { drawRetryAfter, ERROR_CATALOGUE, toServiceErrorBody } from '@muster/contract';
import type { RequestKind } from './active-requests.ts';
import { chooseRequestId, STANDARD_HEADERS } from './request.ts';

const prepare = (code: ErrorCode) => {
  const body = JSON.stringify(toServiceErrorBody(code));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    ...STANDARD_HEADERS,
  };
  return { status: ERROR_CATALOGUE[code].status, headers: Object.entries(headers).flat(), body };
};

/** The join has no 503 and everything else has no 409 for this. */
const JOIN_ANSWER = prepare('service_overloaded');
const OTHER_ANSWER = prepare('service_unavailable');

/** `isLast` asks the client to leave the connection, as every answer of a stopping service does. */
export const rejectRequest = (
  kind: RequestKind,
  request: IncomingMessage,
  response: ServerResponse,
  isLast: boolean,
): void => {
  const { status, headers, body } = kind === 'join' ? JOIN_ANSWER : OTHER_ANSWER;
  const own = [
    'X-Request-Id',
    chooseRequestId(request),
    'Retry-After',
    String(drawRetryAfter('service_overloaded')),
  ];
  const closing = isLast ? ['Connection', 'close'] : [];
  response.writeHead(status, [...headers, ...own, ...closing]).end(body);
};

type Rejection = { reject: () => void; since: number };

/**
 * So many per second are sent at once: less than a tenth of a processor. A thousand clients that ask again as soon as they
 * are rejected all get their answer within a second.
 */
const AT_ONCE_PER_SECOND = 1_500;
/** The longest wait for a rejection. */
const LONGEST_MS = 2_000;
const TICK_MS = 20;
const PER_TICK = (AT_ONCE_PER_SECOND * TICK_MS) / 1_000;

/**
 * Delays rejections. One costs a fraction of a served request, but a flood brings very many, and a rejected client may ask
 * again at once. Beyond a rate that costs little, rejections wait: the connection is silent meanwhile, which is what
 * Retry-After asks of it anyway.
 */
export class RejectionPacer {
  #tokens = PER_TICK;
  #refilledAt = 0;
  /** Oldest first, from `#next` on. */
  #waiting: Rejection[] = [];
  #next = 0;
  #timer: NodeJS.Timeout | undefined;

  get waiting(): number {
    return this.#waiting.length - this.#next;
  }

  /** Calls `reject` now, or within two seconds of the request's arrival. */
  send(reject: () => void, arrivedAt: number, now: number): void {
    if (this.waiting === 0 && this.#takeToken(now)) {
      reject();
      return;
    }
    this.#waiting.push({ reject, since: arrivedAt });
    this.#timer ??= setInterval(() => this.#tick(performance.now()), TICK_MS);
  }

  #takeToken(now: number): boolean {
    if (now - this.#refilledAt >= TICK_MS) {
      this.#tokens = PER_TICK;
      this.#refilledAt = now;
    }
    if (this.#tokens === 0) return false;
    this.#tokens -= 1;
    return true;
  }

  #tick(now: number): void {
    for (let sent = 0; sent < PER_TICK && this.waiting > 0; sent += 1) this.#sendNext();
    while (this.waiting > 0 && this.#isLate(now)) this.#sendNext();
    this.#waiting.splice(0, this.#next);
    this.#next = 0;
    if (this.waiting > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #isLate(now: number): boolean {
    return now - (this.#waiting[this.#next]?.since ?? now) > LONGEST_MS - TICK_MS;
  }

  #sendNext(): void {
    this.#waiting[this.#next]?.reject();
    this.#next += 1;
  }
}
