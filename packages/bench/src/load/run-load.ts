// Runs one job: connections that send prepared requests, as fast as answers come or at a fixed rate.
import type { RequestSet } from '../requests/join-requests.ts';
import { requestAt } from '../requests/join-requests.ts';
import type { Connection } from './connection.ts';
import { openConnection } from './connection.ts';
import { Tally } from './histogram.ts';
import type { LoadJob, LoadResult } from './load-job.ts';

/** Nothing answers slower than this; a run that waits longer has hung. */
const ANSWER_DEADLINE_MS = 60_000;

/** The end of the time of the job and `finish`, whichever comes first, end the run. */
export const runLoad = async (
  requests: RequestSet,
  job: LoadJob,
  finish?: AbortSignal,
): Promise<LoadResult> => {
  const run = new Run(requests, job);
  return run.measure(finish);
};

class Run {
  readonly #requests: RequestSet;
  readonly #job: LoadJob;
  readonly #tally = new Tally();
  readonly #idle: Connection[] = [];
  readonly #all: Connection[] = [];
  /** When the requests that no connection was free for were due. */
  readonly #overdue: number[] = [];
  readonly #finished = Promise.withResolvers<void>();
  #sent = 0;
  #givenUp = 0;
  #underWay = 0;
  #due = 0;
  #startedAt = 0;
  #stopped = false;

  constructor(requests: RequestSet, job: LoadJob) {
    this.#requests = requests;
    this.#job = job;
  }

  async measure(finish?: AbortSignal): Promise<LoadResult> {
    for (let n = 0; n < this.#job.connections; n += 1) await this.#open();
    const cpuBefore = process.cpuUsage();
    this.#startedAt = performance.now();
    const deadline = setTimeout(() => this.#stop(), this.#job.maxSeconds * 1_000);
    if (this.#job.ratePerSecond === undefined) this.#sendOnAll();
    else this.#tick(this.#job.ratePerSecond);
    if (finish?.aborted) this.#stop();
    else finish?.addEventListener('abort', () => this.#stop());
    try {
      await this.#finished.promise;
    } finally {
      clearTimeout(deadline);
      for (const connection of this.#all) connection.close();
    }
    const { user, system } = process.cpuUsage(cpuBefore);
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    return this.#tally.summarise(seconds, (user + system) / 1e6, this.#givenUp);
  }

  async #open(): Promise<void> {
    let dueAt = 0;
    const connection = await openConnection(this.#job.port, {
      onAnswer: (answer) => {
        const now = performance.now();
        this.#tally.count(answer, now - dueAt, now - this.#startedAt);
        this.#underWay -= 1;
        this.#proceed(sender);
      },
      onFailure: (error) => this.#finished.reject(error),
    });
    const sender: Connection = {
      close: connection.close,
      send: (request) => {
        dueAt = this.#due;
        connection.send(request);
      },
    };
    this.#all.push(connection);
    this.#idle.push(sender);
  }

  #sendOnAll(): void {
    for (const connection of this.#idle.splice(0)) this.#proceed(connection);
  }

  /** Sends the next request on a connection that has become free, or ends the run. */
  #proceed(connection: Connection): void {
    if (this.#isOver()) {
      // A server may close what is idle while the last answers are waited for; that is no failure.
      connection.close();
      if (this.#underWay === 0) this.#finished.resolve();
      return;
    }
    if (this.#job.ratePerSecond === undefined) {
      this.#send(connection, performance.now());
      return;
    }
    const dueAt = this.#overdue.shift();
    if (dueAt === undefined) this.#idle.push(connection);
    else this.#send(connection, dueAt);
  }

  #send(connection: Connection, dueAt: number): void {
    this.#due = dueAt;
    const { firstRequest, span = this.#requests.count } = this.#job;
    const request = requestAt(this.#requests, firstRequest + (this.#sent % span));
    this.#sent += 1;
    this.#underWay += 1;
    connection.send(request);
  }

  /**
   * At a fixed rate, requests fall due whether or not earlier ones were answered, and wait for a free connection at the
   * cost of their own latency: a slow answer cannot hide the requests behind it, nor can a generator that was late itself.
   */
  #tick(ratePerSecond: number): void {
    // What is overdue goes out as connections become free.
    if (this.#stopped) return;
    if (this.#isOver()) {
      if (this.#underWay === 0) this.#finished.resolve();
      return;
    }
    this.#sendDue(ratePerSecond);
    setTimeout(() => this.#tick(ratePerSecond), 1);
  }

  #sendDue(ratePerSecond: number): void {
    const due = countDue(performance.now() - this.#startedAt, ratePerSecond);
    while (this.#taken < due && !this.#isFullySent()) {
      const dueAt = this.#startedAt + dueAfterMs(this.#taken, ratePerSecond);
      // In turn, since the service closes a connection that sends nothing.
      const connection = this.#idle.shift();
      if (connection) this.#send(connection, dueAt);
      else if (this.#job.whenBusy === 'giveUp') this.#givenUp += 1;
      else this.#overdue.push(dueAt);
    }
  }

  /** At a fixed rate: requests that were sent, wait for a connection or were given up. */
  get #taken(): number {
    return this.#sent + this.#overdue.length + this.#givenUp;
  }

  #isFullySent(): boolean {
    return this.#taken >= this.#job.maxRequests;
  }

  /** Requests that were due in time are sent even after the end: without them, the slowest responses would be missing. */
  #isOver(): boolean {
    const isTimeOver = this.#stopped && this.#overdue.length === 0;
    return isTimeOver || this.#sent >= this.#job.maxRequests;
  }

  #stop(): void {
    if (this.#job.ratePerSecond !== undefined) this.#sendDue(this.#job.ratePerSecond);
    this.#stopped = true;
    if (this.#underWay === 0) this.#finished.resolve();
    setTimeout(() => {
      this.#finished.reject(new Error(`${this.#underWay} requests were never answered.`));
    }, ANSWER_DEADLINE_MS).unref();
  }
}

// When requests fall due at even spacing: the first one at the start.

/** From the start of the run to when the request `index`, counted from 0, is due. */
export const dueAfterMs = (index: number, ratePerSecond: number): number =>
  (index / ratePerSecond) * 1_000;

/** The number of requests that are due at this time after the start. */
export const countDue = (elapsedMs: number, ratePerSecond: number): number =>
  Math.floor((elapsedMs / 1_000) * ratePerSecond) + 1;
