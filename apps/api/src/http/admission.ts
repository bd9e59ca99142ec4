// Decides which requests are admitted, before a credential is looked at or a body is read. A rejection costs a fraction of a
// served request, so that a flood takes little from the requests that are served.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../platform/index.ts';
import type { ActiveRequest, RequestKind, Slowness } from './active-requests.ts';
import {
  attachActiveRequest,
  detachActiveRequest,
  findActiveRequest,
  kindOfRequest,
  StartedRequests,
  UnreadAnswers,
} from './active-requests.ts';
import { AdmissionQueue, QUEUE_LIMITS } from './admission-queue.ts';
import { BodyMemory, expectBodyBytes } from './body-memory.ts';
import { HeadGate, hasLongHead } from './head-gate.ts';
import { RejectionPacer, rejectRequest } from './reject-request.ts';
import { RequestAbortedError, signalLeaving } from './request.ts';

export type AdmissionLimits = {
  /** Joins and histories together, from their arrival until they are answered. */
  maxConcurrentRequests: number;
  /** Joins that run at once; more than QUEUE_LIMITS says never do. */
  maxWaitingJoins: number;
  /** Of answers that clients have not read. */
  maxUnreadAnswerBytes: number;
  /** Of bodies larger than a join's. */
  maxBodyBytes: number;
  bodyTimeoutMs: number;
  answerTimeoutMs: number;
};

/** All slots are taken, the wait was too long, or memory is needed for others. */
type RejectionReason = 'concurrency' | 'queue_delay' | 'unread_answers' | 'bodies';

export type StartRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
) => void;

type AdmissionOptions = {
  limits: AdmissionLimits;
  isStopping: () => boolean;
  onRejected: (kind: RequestKind, reason: RejectionReason) => void;
  /** Called for each connection that was ended for its slowness. */
  onCut: (slowness: Slowness) => void;
};

/** A second or so: those of one burst do not come back in one moment. */
const heldBackMs = () => 750 + 500 * Math.random();
const SWEEP_MS = 1_000;
/** How often waiting requests are checked. */
const TICK_MS = 20;
/** People who administer come in beside a flood of players. */
const SHARE_OF_OTHERS = 0.1;
const FEWEST_OTHERS = 100;
/** On top of all others: those that wait at the gate. */
const SHARE_OF_LONG_HEADS = 0.25;
/** However many histories are asked for at once, there are places for joins. */
const SHARE_OF_HISTORIES = 0.5;

export class Admission {
  /** Told of what of each body has come. */
  readonly bodies: BodyMemory;
  readonly #options: AdmissionOptions;
  readonly #queues: Record<RequestKind, AdmissionQueue>;
  readonly #maxOthers: number;
  readonly #pacer = new RejectionPacer();
  readonly #unread: UnreadAnswers;
  readonly #started: StartedRequests;
  readonly #gate: HeadGate;
  #sweeping: NodeJS.Timeout | undefined;
  #ticking: NodeJS.Timeout | undefined;
  #startRequest: StartRequest = () => {};

  constructor(options: AdmissionOptions) {
    this.#options = options;
    const { limits, onCut } = options;
    this.bodies = new BodyMemory(limits.maxBodyBytes, (kind) => options.onRejected(kind, 'bodies'));
    const [start, startProbe] = [this.#start, this.#startProbe];
    const joinsAtOnce = Math.min(QUEUE_LIMITS.join.concurrency, limits.maxWaitingJoins);
    this.#queues = {
      join: new AdmissionQueue({ ...QUEUE_LIMITS.join, concurrency: joinsAtOnce, start }),
      history: new AdmissionQueue({ ...QUEUE_LIMITS.history, start }),
      other: new AdmissionQueue({ ...QUEUE_LIMITS.other, start }),
      probe: new AdmissionQueue({ ...QUEUE_LIMITS.other, start: startProbe }),
    };
    this.#gate = new HeadGate({
      most: SHARE_OF_LONG_HEADS * limits.maxConcurrentRequests,
      pass: (active, now) => {
        active.arrivedAt = now;
        this.#admitOrReject(active, now);
      },
    });
    const share = Math.ceil(limits.maxConcurrentRequests * SHARE_OF_OTHERS);
    this.#maxOthers = Math.max(FEWEST_OTHERS, share);
    this.#started = new StartedRequests(limits, onCut);
    this.#unread = new UnreadAnswers({
      ...{ maxBytes: limits.maxUnreadAnswerBytes, timeoutMs: limits.answerTimeoutMs },
      onCut: () => onCut('slow_reader'),
    });
  }

  /** Sets how requests begin. Call it before the first one. */
  serve(startRequest: StartRequest): void {
    this.#startRequest = startRequest;
  }

  /** Begins the request now or when its turn comes, or rejects it. */
  enter(request: IncomingMessage, response: ServerResponse, target: string): void {
    const kind = kindOfRequest(target);
    const active: ActiveRequest = {
      ...{ kind, request, response, target, arrivedAt: performance.now(), startedAt: 0 },
      ...{ bodyBytes: expectBodyBytes(kind, request), taken: 0, takenAt: 0 },
    };
    const now = active.arrivedAt;
    if (kind === 'probe') this.#queues.probe.enter(active, now);
    else if (!hasLongHead(active)) this.#admitOrReject(active, now);
    else if (!this.#gate.enter(active, kind)) this.#rejectLongHead(active, 'concurrency');
    else if (this.#gate.countWaiting() > 0) this.#tickLater();
  }

  #admitOrReject(active: ActiveRequest, now: number): void {
    const reason = this.#findReason(active);
    if (reason) this.#reject(active, reason, now);
    else this.#admit(active, now);
  }

  /**
   * The request is refused, a second later or so and without its place: who asks again at once gains nothing. A body that was read may be
   * in memory until then, and counts; of one that was only announced there is nothing. A client that leaves ends the wait.
   */
  async holdBack(response: ServerResponse, ms = heldBackMs()): Promise<void> {
    const active = findActiveRequest(response);
    const bodyBytes = active?.request.complete ? active.bodyBytes : 0;
    this.#end(response, performance.now());
    this.bodies.take(bodyBytes);
    try {
      await delay(ms, undefined, { signal: signalLeaving(response) });
    } catch {
      // The client has left.
    } finally {
      this.bodies.giveBack(bodyBytes);
    }
  }

  /** Others have the slot of this request until it takes one again: it waits for something that is its own affair. */
  leaveSlot(response: ServerResponse): void {
    const active = findActiveRequest(response);
    if (!active || !this.#started.setAside(active)) return;
    this.#queues[active.kind].leave(performance.now());
  }

  /** Resolves when there is a slot. Throws `service_unavailable` where the wait was too long, or RequestAbortedError. */
  async takeSlot(response: ServerResponse): Promise<void> {
    const active = findActiveRequest(response);
    if (!active || response.destroyed) throw new RequestAbortedError();
    this.#started.remove(active);
    const now = performance.now();
    const resumption = Promise.withResolvers<void>();
    Object.assign(active, {
      ...{ arrivedAt: now, startedAt: 0, resumption },
      ...{ stalled: undefined, isAside: false },
    });
    this.#queues[active.kind].enter(active, now);
    if (active.startedAt === 0) this.#tickLater();
    await resumption.promise;
  }

  /** Resolves when the request is answered, or only its answer is held back, or its client has left and nothing of it is in work. */
  async whenEnded(response: ServerResponse): Promise<void> {
    const active = findActiveRequest(response);
    if (!active) return;
    active.ended ??= Promise.withResolvers<void>();
    await active.ended.promise;
  }

  /** What the request asks for. It goes on when the client leaves, and keeps its slot and its place until it has settled. */
  keepWhile(response: ServerResponse, work: Promise<unknown>): void {
    const active = findActiveRequest(response);
    if (!active) return;
    active.isInWork = true;
    const settle = () => {
      active.isInWork = false;
      if (response.destroyed) this.#end(response, performance.now());
    };
    work.then(settle, settle);
  }

  /** The request waits for something that tells who asks. Others may have its slot meanwhile, and it takes another one then. */
  async identify<Result>(response: ServerResponse, work: () => Promise<Result>): Promise<Result> {
    const active = findActiveRequest(response);
    if (!active) return work();
    active.isIdentifying = true;
    const result = await work().finally(() => {
      active.isIdentifying = false;
    });
    if (active.stalled && !active.isAside) await this.takeSlot(response);
    return result;
  }

  counts() {
    const { join, history, other } = this.#queues;
    return {
      running: {
        join: join.running + this.#started.countStalled('join', false),
        history: history.running + this.#started.countStalled('history', false),
        other: other.running + this.#started.countStalled('other', false),
      },
      waiting: {
        join: this.#countWaiting('join'),
        history: this.#countWaiting('history'),
        other: this.#countWaiting('other'),
      },
      waitingRejections: this.#pacer.waiting,
      unreadAnswerBytes: this.#unread.bytes,
      bodyBytes: this.bodies.bytes,
    };
  }

  #countWaiting(kind: Exclude<RequestKind, 'probe'>): number {
    const aside = this.#started.countStalled(kind, true);
    return this.#queues[kind].waiting + this.#gate.countWaiting(kind) + aside;
  }

  /** Null when there is room for the request. */
  #findReason({ kind, bodyBytes, arrivedAt }: ActiveRequest): RejectionReason | null {
    const { maxConcurrentRequests } = this.#options.limits;
    if (!this.bodies.hasRoom(bodyBytes)) return 'bodies';
    if (kind === 'history' && this.#unread.areTooMany) return 'unread_answers';
    const { join, history, other } = this.#queues;
    if (kind === 'other' && other.running + other.waiting >= this.#maxOthers) {
      this.#releaseStalled('other', arrivedAt);
      if (other.running + other.waiting >= this.#maxOthers) return 'concurrency';
    }
    if (kind === 'history') {
      const withoutSlot = this.#started.countStalled('history');
      const histories = history.running + history.waiting + withoutSlot;
      if (histories >= SHARE_OF_HISTORIES * maxConcurrentRequests) return 'concurrency';
    }
    const queued = join.running + join.waiting + history.running + history.waiting;
    const present = this.#started.stalled + (kind === 'other' ? 0 : queued);
    const hasRoom = present < maxConcurrentRequests || this.#endOldestStalled(arrivedAt);
    return hasRoom ? null : 'concurrency';
  }

  /** A complete request goes before one that holds its place without asking for anything. */
  #endOldestStalled(now: number): boolean {
    const ended = this.#started.endOldestStalled(now);
    if (ended) this.#end(ended.response, now);
    return ended !== null;
  }

  #admit(active: ActiveRequest, now: number): void {
    const { kind, response } = active;
    this.bodies.take(active.bodyBytes);
    attachActiveRequest(active);
    response.on('prefinish', this.#onAnswered);
    response.on('close', this.#onClosed);
    this.#queues[kind].enter(active, now);
    if (active.startedAt === 0 && kind !== 'other') this.#tickLater();
  }

  readonly #start = (active: ActiveRequest, now: number): void => {
    active.startedAt = now;
    this.#started.add(active);
    this.#sweepLater();
    if (active.resumption) active.resumption.resolve();
    else this.#startRequest(active.request, active.response, active.target);
  };

  /** Nothing else is known of it: an orchestrator asks whatever the service is doing. */
  readonly #startProbe = ({ request, response, target }: ActiveRequest): void => {
    this.#startRequest(request, response, target);
    this.#queues.probe.leave(performance.now());
  };

  #reject(active: ActiveRequest, reason: RejectionReason, now: number): void {
    const { kind, request, response, arrivedAt, resumption } = active;
    this.#options.onRejected(kind, reason);
    const reject = () => {
      if (resumption) resumption.reject(new ServiceError('service_unavailable'));
      else if (!response.destroyed)
        rejectRequest(kind, request, response, this.#options.isStopping());
    };
    this.#pacer.send(reject, arrivedAt, now);
  }

  /** A second later, without what is long: who were told at once would ask again at once, and each time fill memory anew. */
  #rejectLongHead(active: ActiveRequest, reason: RejectionReason): void {
    const { request } = active;
    const headers = { 'x-request-id': request.headers['x-request-id'] };
    active.target = '';
    Object.assign(request, { url: '', rawHeaders: [], headers });
    setTimeout(() => this.#reject(active, reason, performance.now()), heldBackMs());
  }

  /** The answer is written. How fast the client reads it holds no slot. */
  readonly #onAnswered = withResponse((response) => {
    const now = performance.now();
    this.#end(response, now);
    this.#unread.add(response, now);
    if (this.#unread.bytes > 0) this.#sweepLater();
  });

  readonly #onClosed = withResponse((response) => {
    const active = findActiveRequest(response);
    // What waits for a slot has not begun, or does not go on: it ends its work by this.
    if (active?.isInWork) active.resumption?.reject(new RequestAbortedError());
    else this.#end(response, performance.now());
    this.#unread.remove(response);
  });

  #end(response: ServerResponse, now: number): void {
    const active = detachActiveRequest(response);
    if (!active) return;
    const { kind, startedAt } = active;
    this.bodies.giveBack(active.bodyBytes);
    active.resumption?.reject(new RequestAbortedError());
    active.ended?.resolve();
    if (startedAt === 0 || !this.#started.remove(active)) return;
    this.#queues[kind].leave(now);
  }

  #releaseStalled(kind: RequestKind, now: number): void {
    for (let left = this.#started.releaseStalled(kind, now); left > 0; left -= 1)
      this.#queues[kind].leave(now);
  }

  #tickLater(): void {
    // Behind what the network has brought meanwhile: a body that is there is not late.
    this.#ticking ??= setTimeout(() => setImmediate(() => this.#tick(performance.now())), TICK_MS);
  }

  #tick(now: number): void {
    this.#ticking = undefined;
    const { join, history } = this.#queues;
    if (join.waiting > 0) this.#releaseStalled('join', now);
    if (history.waiting > 0) this.#releaseStalled('history', now);
    for (const queue of [join, history]) {
      for (const active of queue.takeExpired(now)) {
        if (detachActiveRequest(active.response) === undefined) continue;
        this.bodies.giveBack(active.bodyBytes);
        this.#reject(active, 'queue_delay', now);
      }
    }
    for (const active of this.#gate.takeExpired(now)) this.#rejectLongHead(active, 'queue_delay');
    if (join.waiting + history.waiting + this.#gate.countWaiting() > 0) this.#tickLater();
  }

  #sweepLater(): void {
    this.#sweeping ??= setTimeout(() => this.#sweep(performance.now()), SWEEP_MS).unref();
  }

  #sweep(now: number): void {
    this.#sweeping = undefined;
    this.#started.endSlow(now);
    this.#unread.cut(now);
    if (this.#started.size > 0 || this.#unread.bytes > 0) this.#sweepLater();
  }
}

/** One listener serves every response, which it gets as `this`. */
function withResponse(handle: (response: ServerResponse) => void) {
  return function (this: ServerResponse): void {
    handle(this);
  };
}
