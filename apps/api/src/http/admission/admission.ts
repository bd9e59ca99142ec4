// Decides which requests are taken in, before a credential is looked at or a body is read. Who is turned away costs a
// fraction of who is served, so that a flood takes little from those who are.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expectBodyBytes } from './expect-body-bytes.ts';
import { Lane } from './lane.ts';
import { PacedRefusals } from './paced-refusals.ts';
import { refuseRequest } from './refuse-request.ts';
import type { RequestKind } from './request-kind.ts';
import { kindOfRequest } from './request-kind.ts';
import type { Slowness } from './slow-visits.ts';
import { StartedVisits } from './started-visits.ts';
import { UnreadAnswers } from './unread-answers.ts';
import type { Visit } from './visit.ts';
import { rememberVisit, takeVisit } from './visit.ts';

export type AdmissionLimits = {
  /** Joins and histories together, from their arrival until they are answered. */
  maxConcurrentRequests: number;
  /** Of answers that clients have not read. */
  maxUnreadAnswerBytes: number;
  /** Of bodies larger than a join's. */
  maxBodyBytes: number;
  bodyTimeoutMs: number;
  answerTimeoutMs: number;
};

/** All places are taken, the wait was too long, or memory is needed for others. */
export type RefusalReason = 'concurrency' | 'queue_delay' | 'unread_answers' | 'bodies';

export type StartRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
) => void;

export type AdmissionOptions = {
  limits: AdmissionLimits;
  isStopping: () => boolean;
  onRefused: (kind: RequestKind, reason: RefusalReason) => void;
  /** Hears of each connection that was ended for its slowness. */
  onCut: (slowness: Slowness) => void;
};

const SWEEP_MS = 1_000;
/** How often those who wait are looked at. */
const TICK_MS = 20;
/**
 * What two statements write, and what fills the next one meanwhile. What is under way is what the garbage collector has to copy: with
 * 128, a flood left 5 % fewer joins.
 */
const JOINS_AT_ONCE = 72;
/** Three times the connections that read them: pages are costly, and no more of them are answered by working on more. */
const HISTORIES_AT_ONCE = 32;
/** People who administer come in beside a flood of players. */
const SHARE_OF_OTHERS = 0.1;
const FEWEST_OTHERS = 100;

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #lanes: Record<'join' | 'history', Lane>;
  readonly #maxOthers: number;
  readonly #refusals = new PacedRefusals();
  readonly #unread: UnreadAnswers;
  readonly #started: StartedVisits;
  #sweeping: NodeJS.Timeout | undefined;
  #ticking: NodeJS.Timeout | undefined;
  #startRequest: StartRequest = () => {};
  #others = 0;
  #bodyBytes = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    const { maxConcurrentRequests: max, maxUnreadAnswerBytes, answerTimeoutMs } = options.limits;
    this.#lanes = {
      join: new Lane(JOINS_AT_ONCE, this.#start),
      history: new Lane(HISTORIES_AT_ONCE, this.#start),
    };
    this.#maxOthers = Math.max(FEWEST_OTHERS, Math.ceil(max * SHARE_OF_OTHERS));
    this.#started = new StartedVisits(options.limits, options.onCut);
    this.#unread = new UnreadAnswers({
      ...{ maxBytes: maxUnreadAnswerBytes, timeoutMs: answerTimeoutMs },
      onCut: () => options.onCut('slow_reader'),
    });
  }

  /** Says how requests begin. Call it before the first one. */
  serve(startRequest: StartRequest): void {
    this.#startRequest = startRequest;
  }

  /** Begins the request now or when its turn comes, or turns it away. */
  enter(request: IncomingMessage, response: ServerResponse, target: string): void {
    const kind = kindOfRequest(target);
    if (kind === 'probe') {
      this.#startRequest(request, response, target);
      return;
    }
    const now = performance.now();
    const visit: Visit = {
      ...{ kind, request, response, target, arrivedAt: now, startedAt: 0 },
      ...{ bodyBytes: expectBodyBytes(request), taken: 0, takenAt: now },
    };
    const reason = this.#findReason(visit);
    if (reason) this.#refuse(visit, reason, now);
    else this.#letIn(visit, now);
  }

  counts() {
    const { join, history } = this.#lanes;
    return {
      underWay: {
        ...{ join: join.underWay + this.#started.countAside('join'), history: history.underWay },
        other: this.#others + this.#started.countAside('other'),
      },
      waiting: { join: join.waiting, history: history.waiting },
      waitingRefusals: this.#refusals.waiting,
      unreadAnswerBytes: this.#unread.bytes,
      bodyBytes: this.#bodyBytes,
    };
  }

  /** Null when there is a place for the request. */
  #findReason({ kind, bodyBytes, arrivedAt }: Visit): RefusalReason | null {
    const { maxBodyBytes, maxConcurrentRequests } = this.#options.limits;
    if (bodyBytes > 0 && this.#bodyBytes + bodyBytes > maxBodyBytes) return 'bodies';
    if (kind === 'history' && this.#unread.areTooMany) return 'unread_answers';
    if (kind === 'other' && this.#others >= this.#maxOthers) {
      this.#others -= this.#started.setAside('other', arrivedAt);
    }
    if (kind === 'other' && this.#others >= this.#maxOthers) return 'concurrency';
    const { join, history } = this.#lanes;
    const inLanes = join.underWay + join.waiting + history.underWay + history.waiting;
    const present = this.#started.aside + (kind === 'other' ? 0 : inLanes);
    return present < maxConcurrentRequests || this.#endOldestAside() ? null : 'concurrency';
  }

  /** Whoever is here whole goes before those who keep a place without asking for anything. */
  #endOldestAside(): boolean {
    const ended = this.#started.endOldestAside();
    if (ended) this.#end(ended.response, performance.now());
    return ended !== null;
  }

  #letIn(visit: Visit, now: number): void {
    const { kind, response } = visit;
    this.#bodyBytes += visit.bodyBytes;
    rememberVisit(visit);
    response.on('prefinish', this.#onAnswered);
    response.on('close', this.#onClosed);
    if (kind === 'join' || kind === 'history') {
      this.#lanes[kind].enter(visit, now);
      if (visit.startedAt === 0) this.#tickLater();
    } else {
      this.#others += 1;
      this.#start(visit, now);
    }
  }

  readonly #start = (visit: Visit, now: number): void => {
    visit.startedAt = now;
    this.#started.add(visit);
    this.#sweepLater();
    this.#startRequest(visit.request, visit.response, visit.target);
  };

  #refuse({ kind, request, response, arrivedAt }: Visit, reason: RefusalReason, now: number): void {
    this.#options.onRefused(kind, reason);
    const refuse = () => {
      if (response.destroyed) return;
      refuseRequest(kind, request, response, this.#options.isStopping());
    };
    this.#refusals.send(refuse, arrivedAt, now);
  }

  /** The answer is written; reading it is the client's affair, and takes no place from others. */
  readonly #onAnswered = withResponse((response) => {
    const now = performance.now();
    this.#end(response, now);
    this.#unread.add(response, now);
  });

  readonly #onClosed = withResponse((response) => {
    this.#end(response, performance.now());
    this.#unread.remove(response);
  });

  #end(response: ServerResponse, now: number): void {
    const visit = takeVisit(response);
    if (!visit) return;
    const { kind, startedAt } = visit;
    this.#bodyBytes -= visit.bodyBytes;
    if (startedAt === 0) return;
    if (!this.#started.remove(visit)) return;
    if (kind === 'join' || kind === 'history') {
      this.#lanes[kind].leave(now);
    } else this.#others -= 1;
  }

  #tickLater(): void {
    this.#ticking ??= setTimeout(() => this.#tick(performance.now()), TICK_MS);
  }

  #tick(now: number): void {
    this.#ticking = undefined;
    const { join, history } = this.#lanes;
    if (join.waiting > 0) {
      for (let left = this.#started.setAside('join', now); left > 0; left -= 1) join.leave(now);
    }
    for (const lane of [join, history]) {
      for (const visit of lane.takeLate(now)) this.#refuseLate(visit, now);
    }
    if (join.waiting + history.waiting > 0) this.#tickLater();
  }

  #refuseLate(visit: Visit, now: number): void {
    if (takeVisit(visit.response) === undefined) return;
    this.#bodyBytes -= visit.bodyBytes;
    this.#refuse(visit, 'queue_delay', now);
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

/** One listener for every response, which is told which it is by `this`. */
function withResponse(hear: (response: ServerResponse) => void) {
  return function (this: ServerResponse): void {
    hear(this);
  };
}
