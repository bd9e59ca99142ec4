// Decides at the arrival of a request whether the service takes it, and when it starts: before its credential is checked or its body is
// read, since a rejection has to cost a fraction of a served request. Probes are always answered: an orchestrator would restart a busy service otherwise.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '@muster/contract';
import { drawRetryAfter, ERROR_CATALOGUE, toServiceErrorBody } from '@muster/contract';
import { PROBES } from '../telemetry/index.ts';
import { LIMITS, TIMES } from './limits.ts';
import { chooseRequestId, STANDARD_HEADERS } from './request.ts';

export type RequestKind = 'join' | 'history' | 'companion' | 'probe' | 'other';

/** By the path alone. `target` begins with a slash. */
export const kindOfRequest = (target: string): RequestKind => {
  if (COMPANION_PATHS.some((path) => target.startsWith(path))) return 'companion';
  if (target.startsWith('/session/')) return 'join';
  if (target.startsWith('/v1/history/')) return 'history';
  return PROBES.has(target) ? 'probe' : 'other';
};

const COMPANION_PATHS = ['/session/v1/session/', '/session/v1/player/'];

/** Too many requests are in the process, in an overload or at any time, or this one has waited too long for its start. */
type RejectionReason = 'concurrency' | 'overload' | 'start_delay';

type LoadShedderOptions = {
  /** Joins, histories and companion requests together. */
  maxPublicRequests: number;
  isStopping: () => boolean;
  /** A monotonic clock in milliseconds. */
  now: () => number;
  onRejected: (kind: RequestKind, reason: RejectionReason) => void;
};

export class LoadShedder {
  readonly #options: LoadShedderOptions;
  readonly #counts: Record<RequestKind, number> = {
    join: 0,
    history: 0,
    companion: 0,
    probe: 0,
    other: 0,
  };
  readonly #onEnd: Record<RequestKind, (this: ServerResponse) => void>;
  #rejectsSince = 0;
  #rejectedAt = Number.NEGATIVE_INFINITY;

  constructor(options: LoadShedderOptions) {
    this.#options = options;
    const counts = this.#counts;
    const createOnEnd = (kind: RequestKind) =>
      function onEnd(this: ServerResponse): void {
        this.off('prefinish', onEnd).off('close', onEnd);
        counts[kind] -= 1;
      };
    this.#onEnd = {
      join: createOnEnd('join'),
      history: createOnEnd('history'),
      companion: createOnEnd('companion'),
      probe: createOnEnd('probe'),
      other: createOnEnd('other'),
    };
  }

  /** Requests in the process, from their arrival until their response is written. */
  get counts(): Readonly<Record<RequestKind, number>> {
    return this.#counts;
  }

  /** Counts the request and returns true, or rejects it and returns false. */
  admit(kind: RequestKind, request: IncomingMessage, response: ServerResponse): boolean {
    const reason = this.#findReason(kind);
    if (!reason) {
      this.#counts[kind] += 1;
      this.#releaseAtEnd(kind, response);
      return true;
    }
    this.#reject(kind, reason, request, response);
    return false;
  }

  /** Rejects a request that was admitted and has waited too long for its start. */
  rejectLate(kind: RequestKind, request: IncomingMessage, response: ServerResponse): void {
    this.#onEnd[kind].call(response);
    this.#reject(kind, 'start_delay', request, response);
  }

  /**
   * Excludes a request of this kind from the count while it waits for its client, so that idle clients do not block others. Call the
   * result when the wait is over.
   */
  pause(kind: RequestKind, response: ServerResponse): () => void {
    if (response.destroyed) return () => {};
    this.#onEnd[kind].call(response);
    return () => {
      if (response.destroyed) return;
      this.#counts[kind] += 1;
      this.#releaseAtEnd(kind, response);
    };
  }

  /** A response that is written counts no longer: the memory budget limits what its client does not read. */
  #releaseAtEnd(kind: RequestKind, response: ServerResponse): void {
    response.on('prefinish', this.#onEnd[kind]).on('close', this.#onEnd[kind]);
  }

  /** Whether requests have been rejected for longer than in a burst, with less than two seconds between rejections. */
  isOverloaded(): boolean {
    const now = this.#options.now();
    const isRejecting = now - this.#rejectedAt < TIMES.betweenRejections;
    return isRejecting && now - this.#rejectsSince > TIMES.overloadedAfter;
  }

  /** Counts a rejection by a later step towards an overload. */
  noteRejection(): void {
    const now = this.#options.now();
    if (now - this.#rejectedAt >= TIMES.betweenRejections) this.#rejectsSince = now;
    this.#rejectedAt = now;
  }

  /** At once, or after a delay during an overload. */
  #reject(
    kind: RequestKind,
    reason: RejectionReason,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const { isStopping, onRejected } = this.#options;
    onRejected(kind, reason);
    this.noteRejection();
    const reject = () => {
      if (!response.destroyed) rejectRequest(kind, request, response, isStopping());
    };
    if (this.isOverloaded()) setTimeout(reject, LIMITS.rejectionDelay.value);
    else reject();
  }

  #findReason(kind: RequestKind): RejectionReason | null {
    if (kind === 'probe') return null;
    const { join, history, companion, other } = this.#counts;
    if (kind === 'other') return other < LIMITS.otherRequests.value ? null : 'concurrency';
    if (join + history + companion >= this.#options.maxPublicRequests) return 'concurrency';
    const isShed = kind === 'join' && join >= LIMITS.overloadedJoins.value;
    return isShed && this.isOverloaded() ? 'overload' : null;
  }
}

const prepare = (code: ErrorCode) => {
  const body = JSON.stringify(toServiceErrorBody(code));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    ...STANDARD_HEADERS,
  };
  return { status: ERROR_CATALOGUE[code].status, headers: Object.entries(headers).flat(), body };
};

/** A join has no 503, and everything else has no 409 for this. */
const JOIN_REJECTION = prepare('service_overloaded');
const REJECTION = prepare('service_unavailable');

/** `isLast` asks the client to close the connection, as every response of a stopping service does. */
const rejectRequest = (
  kind: RequestKind,
  request: IncomingMessage,
  response: ServerResponse,
  isLast: boolean,
): void => {
  const { status, headers, body } = kind === 'join' ? JOIN_REJECTION : REJECTION;
  const own = [
    'X-Request-Id',
    chooseRequestId(request),
    'Retry-After',
    String(drawRetryAfter('service_overloaded')),
  ];
  const closing = isLast ? ['Connection', 'close'] : [];
  response.writeHead(status, [...headers, ...own, ...closing]).end(body);
};

/** Gets the milliseconds that the request has waited. */
type Start = (waitedMs: number) => void;

/**
 * Starts a few requests in each iteration of the event loop, in the order of their arrival. Everything else of the process runs in
 * between.
 *
 * libuv accepts one connection per iteration. When a hundred clients send without pause, an iteration that handles all their requests
 * takes 30 ms, and the service accepts 30 connections a second: other clients wait for seconds.
 */
export class StartLimiter {
  readonly #now: () => number;
  #waiting: { start: Start; since: number }[] = [];
  #started = 0;
  #next: NodeJS.Immediate | undefined;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Calls `start` now, or in a later iteration. */
  run(start: Start): void {
    this.#next ??= setImmediate(() => this.#beginIteration());
    if (this.#waiting.length === 0 && this.#started < LIMITS.startsPerIteration.value) {
      this.#started += 1;
      start(0);
      return;
    }
    this.#waiting.push({ start, since: this.#now() });
  }

  #beginIteration(): void {
    const now = this.#now();
    const starting = this.#waiting.splice(0, LIMITS.startsPerIteration.value);
    this.#started = starting.length;
    this.#next = this.#started > 0 ? setImmediate(() => this.#beginIteration()) : undefined;
    for (const { start, since } of starting) start(now - since);
  }
}
