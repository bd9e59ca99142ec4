// Decides at the arrival of a request whether the service takes it: before its credential is checked or its body is read, since a rejection
// has to cost a fraction of a served request. Probes are always answered: an orchestrator would restart a busy service otherwise.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '@muster/contract';
import { drawRetryAfter, ERROR_CATALOGUE, toServiceErrorBody } from '@muster/contract';
import { PROBES } from '../platform/index.ts';
import { LIMITS } from './limits.ts';
import { chooseRequestId, STANDARD_HEADERS } from './request.ts';

export type RequestKind = 'join' | 'history' | 'probe' | 'other';

/** By the path alone. `target` begins with a slash. */
export const kindOfRequest = (target: string): RequestKind => {
  if (target.startsWith('/session/')) return 'join';
  if (target.startsWith('/v1/history/')) return 'history';
  return PROBES.has(target) ? 'probe' : 'other';
};

type LoadShedderOptions = {
  /** Joins and histories together. */
  maxPublicRequests: number;
  /** Whether the queue of joins has not been empty for a second. */
  isOverloaded: () => boolean;
  isStopping: () => boolean;
  onRejected: (kind: RequestKind, reason: 'concurrency' | 'overload') => void;
};

/** People who administer have a part of the requests that players cannot take. */
const OTHER_SHARE = 0.1;

export class LoadShedder {
  readonly #options: LoadShedderOptions;
  readonly #maxOthers: number;
  readonly #counts: Record<RequestKind, number> = { join: 0, history: 0, probe: 0, other: 0 };
  readonly #onClose: Record<RequestKind, () => void>;

  constructor(options: LoadShedderOptions) {
    this.#options = options;
    const share = Math.ceil(options.maxPublicRequests * OTHER_SHARE);
    this.#maxOthers = Math.max(LIMITS.otherRequests.value, share);
    const leave = (kind: RequestKind) => () => {
      this.#counts[kind] -= 1;
    };
    this.#onClose = {
      join: leave('join'),
      history: leave('history'),
      probe: leave('probe'),
      other: leave('other'),
    };
  }

  /** Requests in the process, from their arrival until their response is sent. */
  get counts(): Readonly<Record<RequestKind, number>> {
    return this.#counts;
  }

  /** Counts the request and returns true, or rejects it and returns false. */
  admit(request: IncomingMessage, response: ServerResponse, target: string): boolean {
    const kind = kindOfRequest(target);
    const reason = this.#findReason(kind);
    if (!reason) {
      this.#counts[kind] += 1;
      response.once('close', this.#onClose[kind]);
      return true;
    }
    this.#options.onRejected(kind, reason);
    const reject = () => {
      if (!response.destroyed) rejectRequest(kind, request, response, this.#options.isStopping());
    };
    if (this.#options.isOverloaded()) setTimeout(reject, LIMITS.rejectionDelay.value);
    else reject();
    return false;
  }

  #findReason(kind: RequestKind): 'concurrency' | 'overload' | null {
    if (kind === 'probe') return null;
    const { join, history, other } = this.#counts;
    if (kind === 'other') return other < this.#maxOthers ? null : 'concurrency';
    if (join + history >= this.#options.maxPublicRequests) return 'concurrency';
    const isShed = kind === 'join' && join >= LIMITS.overloadedJoins.value;
    return isShed && this.#options.isOverloaded() ? 'overload' : null;
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
