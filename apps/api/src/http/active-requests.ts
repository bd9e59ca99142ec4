// The requests in progress, and the answers that clients have not read yet: which requests give up their slot while their body
// is late, and which clients are too slow.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ListNode } from '../platform/index.ts';
import { LinkedList, PROBES } from '../platform/index.ts';
import { answerClientError, REQUEST_TIMED_OUT } from './client-errors.ts';

/**
 * Joins and histories are what players and their services send, and what comes in floods. Probes are always answered: a busy
 * service is alive. Everything else comes from people and machines that administer.
 */
export type RequestKind = 'join' | 'history' | 'probe' | 'other';

/** By the path alone, before anything costly is known about the request. `target` begins with a slash. */
export const kindOfRequest = (target: string): RequestKind => {
  if (target.startsWith('/session/')) return 'join';
  if (target.startsWith('/v1/history/')) return 'history';
  return PROBES.has(target) ? 'probe' : 'other';
};

/** A request between its arrival and the end of its answer. */
export type ActiveRequest = {
  kind: RequestKind;
  request: IncomingMessage;
  response: ServerResponse;
  target: string;
  /** By performance.now(), as all times. */
  arrivedAt: number;
  /** 0 while it waits. */
  startedAt: number;
  /** What its body may hold of the memory for bodies. */
  bodyBytes: number;
  /** How many bytes of its answer the client had taken when it was last found fast enough, and when; 0 before the first look. */
  taken: number;
  takenAt: number;
  /** Its node among the started requests. */
  started?: ListNode<ActiveRequest>;
  /** Its node among those that gave up their slot. */
  stalled?: ListNode<ActiveRequest> | undefined;
  /** True of one that gave it up for something else than its body. */
  isAside?: boolean;
  /** True while it waits to know who asks. */
  isIdentifying?: boolean;
  /** True while what it asks for is in work, also when its client has left. */
  isInWork?: boolean;
  /** Of one that gave up its slot and waits for another: begins it, or ends it with an error. */
  resumption?: PromiseWithResolvers<void>;
  /** Of one on whose end something waits. */
  ended?: PromiseWithResolvers<void>;
};

const ACTIVE = Symbol('active request');
type WithActive = ServerResponse & { [ACTIVE]?: ActiveRequest | undefined };

/** Kept at the response, so that one listener serves all requests. */
export const attachActiveRequest = (active: ActiveRequest): void => {
  (active.response as WithActive)[ACTIVE] = active;
};

/** Undefined once the request has ended. */
export const findActiveRequest = (response: ServerResponse): ActiveRequest | undefined =>
  (response as WithActive)[ACTIVE];

/** Undefined after the first call: a request ends once. */
export const detachActiveRequest = (response: ServerResponse): ActiveRequest | undefined => {
  const active = (response as WithActive)[ACTIVE];
  if (active) (response as WithActive)[ACTIVE] = undefined;
  return active;
};

type TimeLimits = { bodyTimeoutMs: number; answerTimeoutMs: number };
export type Slowness = 'slow_body' | 'slow_reader';

/**
 * How long a body may be on its way before its request gives its slot to one that waits for it. Most come with their head or right behind
 * it, and what is late is still served.
 */
const HELD_FOR_BODY_MS = 20;
/** How long a body may be on its way before its request is ended where there is no room for another one. */
const KEPT_FOR_BODY_MS = 200;

export class StartedRequests {
  readonly #limits: TimeLimits;
  readonly #onCut: (slowness: Slowness) => void;
  /** In the order in which they began. */
  readonly #started = new LinkedList<ActiveRequest>();
  /** Those of them whose bodies are late, the oldest first: they hold no slot. */
  readonly #stalled = new LinkedList<ActiveRequest>();

  constructor(limits: TimeLimits, onCut: (slowness: Slowness) => void) {
    this.#limits = limits;
    this.#onCut = onCut;
  }

  get size(): number {
    return this.#started.size;
  }

  get stalled(): number {
    return this.#stalled.size;
  }

  /** Those that hold no slot: all of them, those that were set aside, or the others. */
  countStalled(kind: RequestKind, isAside?: boolean): number {
    let count = 0;
    for (const active of this.#stalled) {
      const isOne = isAside === undefined || Boolean(active.isAside) === isAside;
      if (active.kind === kind && isOne) count += 1;
    }
    return count;
  }

  add(active: ActiveRequest): void {
    active.started = this.#started.add(active);
  }

  /** True if it held a slot until now. */
  remove(active: ActiveRequest): boolean {
    if (active.started) this.#started.remove(active.started);
    return !(active.stalled && this.#stalled.remove(active.stalled));
  }

  /** It waits for something else than its body, and holds no slot. True if it held one until now: its body may have been late. */
  setAside(active: ActiveRequest): boolean {
    const holdsSlot = !active.stalled;
    active.isAside = true;
    active.stalled ??= this.#stalled.add(active);
    return holdsSlot;
  }

  /**
   * Takes the slots of requests whose bodies are late, or whose callers are not known yet, so that a body which never comes, or an issuer
   * that answers slowly, keeps no other request waiting. They are still served. Returns the number of freed slots.
   */
  releaseStalled(kind: RequestKind, now: number): number {
    const before = this.#stalled.size;
    for (const active of this.#started) {
      if (now - active.startedAt < HELD_FOR_BODY_MS) break;
      // The body of a history is never read.
      const isLate = kind !== 'history' && !active.request.complete;
      if (active.kind === kind && (isLate || active.isIdentifying)) {
        active.stalled ??= this.#stalled.add(active);
      }
    }
    return this.#stalled.size - before;
  }

  /** Returns the request that was ended; null where no body is late enough. */
  endOldestStalled(now: number): ActiveRequest | null {
    for (const active of this.#stalled) {
      if (active.request.complete) continue;
      if (now - active.startedAt < KEPT_FOR_BODY_MS) return null;
      this.#endSlowBody(active);
      return active;
    }
    return null;
  }

  endSlow(now: number): void {
    const { bodyTimeoutMs, answerTimeoutMs } = this.#limits;
    const shortest = Math.min(bodyTimeoutMs, answerTimeoutMs);
    for (const active of this.#started) {
      const { kind, request, startedAt } = active;
      if (now - startedAt < shortest) break;
      // Uploads of administrators are long, and have the time of a whole request.
      const isPublic = kind === 'join' || kind === 'history';
      if (isPublic && !request.complete && now - startedAt > bodyTimeoutMs) {
        this.#endSlowBody(active);
      } else if (isReadSlowly(active, answerTimeoutMs, now)) {
        request.socket.destroy();
        this.#onCut('slow_reader');
      }
    }
  }

  /** Answers 408, and ends the connection. */
  #endSlowBody({ request }: ActiveRequest): void {
    answerClientError(REQUEST_TIMED_OUT, request.socket);
    this.#onCut('slow_body');
  }
}

/** Of a stream: less than any network that people work over, and more than a client that wants to hold a place. */
const MIN_STREAM_BYTES_PER_SECOND = 4_096;

/** A stream continues as long as the client takes enough of it, time after time. A stream that has nothing to send is not late. */
const isReadSlowly = (active: ActiveRequest, timeoutMs: number, now: number): boolean => {
  const { headersSent, socket } = active.response;
  const waiting = headersSent && socket ? socket.writableLength : 0;
  const taken = (socket?.bytesWritten ?? 0) - waiting;
  const lookedMs = now - active.takenAt;
  const isBeginning = active.takenAt === 0 || waiting === 0;
  if (!isBeginning && lookedMs <= timeoutMs) return false;
  const needed = (MIN_STREAM_BYTES_PER_SECOND * lookedMs) / 1_000;
  if (!isBeginning && taken - active.taken < needed) return true;
  active.taken = taken;
  active.takenAt = now;
  return false;
};

type UnreadAnswersOptions = {
  maxBytes: number;
  /** What each client has at least. */
  timeoutMs: number;
  /** Called for each connection that was ended. */
  onCut: () => void;
};

const BYTES_PER_SECOND = 65_536;
/** Even the slowest client is left alone for this time when room is needed: most networks have brought a page by then. */
const GRACE_MS = 2_000;

type Unread = { response: ServerResponse; bytes: number; since: number };

const UNREAD = Symbol('unread');
/** The node is kept at the response. */
type Answered = ServerResponse & { [UNREAD]?: ListNode<Unread> };

/**
 * Answers that are complete and that their clients have not read: bytes that the service holds for them. A client has half a
 * minute and a second per 64 KiB. When all of them together hold too much, the slowest are disconnected.
 */
export class UnreadAnswers {
  readonly #options: UnreadAnswersOptions;
  /** In the order in which they were completed. */
  readonly #answers = new LinkedList<Unread>();
  #bytes = 0;

  constructor(options: UnreadAnswersOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get areTooMany(): boolean {
    return this.#bytes > this.#options.maxBytes;
  }

  /** Call it when the answer is written. Bytes that the network has taken do not count. */
  add(response: ServerResponse, now: number): void {
    const bytes = (response.socket ?? response).writableLength;
    if (!bytes) return;
    this.remove(response);
    (response as Answered)[UNREAD] = this.#answers.add({ response, bytes, since: now });
    this.#bytes += bytes;
  }

  /** Call it when the connection has taken the answer, or has ended. */
  remove(response: ServerResponse): void {
    const node = (response as Answered)[UNREAD];
    if (node && this.#answers.remove(node)) this.#bytes -= node.value.bytes;
  }

  /** Ends the connections of late clients, and of the slowest while there is too much. */
  cut(now: number): void {
    let excess = this.#bytes - this.#options.maxBytes;
    for (const { response, bytes, since } of this.#answers) {
      const waited = now - since;
      const isLate = waited > this.#options.timeoutMs + (bytes / BYTES_PER_SECOND) * 1_000;
      const isInTheWay = excess > 0 && waited > GRACE_MS;
      if (!isLate && !isInTheWay) continue;
      excess -= bytes;
      this.#options.onCut();
      response.req.socket.destroy();
    }
  }
}
