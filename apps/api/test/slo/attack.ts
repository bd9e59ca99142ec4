// The process of an attack: opens its connections, lets each behave as the situation says, and counts what came of it.
import { setTimeout as delay } from 'node:timers/promises';
import type { AttackClient } from './behaviours.ts';
import { now, serveParent } from './child-process.ts';
import { percentile } from './latency.ts';
import { offerLoad } from './offered-load.ts';
import type { ConnectionEvents, RawConnection } from './raw-connection.ts';
import { openConnection, openUnreadConnection } from './raw-connection.ts';
import type { RawResponse } from './response-reader.ts';
import type { Attacker, AttackRequest, SituationName } from './situations.ts';
import { SITUATIONS } from './situations.ts';
import type { Targets } from './stage.ts';

export type AttackPlan = {
  situation: SituationName;
  port: number;
  connections: number;
  seconds: number;
  /** Requests per second at even spacing; absent: as the situation behaves. */
  perSecond?: number;
  attackers: readonly Attacker[];
  targets: Targets;
};

export type AttackResult = {
  /** Milliseconds since 1970. */
  startedAtMs: number;
  endedAtMs: number;
  requests: number;
  /** Responses by status, and broken connections by error code. */
  statuses: Record<string, number>;
  /** Responses 409, 429 and 503 without Retry-After. */
  rejectionsWithoutRetryAfter: number;
  /** Responses 200 per second, without the first second, in which connections are opened. */
  servedPerSecond: number;
  /** The rest at a fixed rate only: requests that were due while no connection was free, and latency of the responses 200. */
  notSent: number;
  servedP99Ms: number;
};

const REJECTIONS = [409, 429, 503];
const OPENING_MS = 1_000;

serveParent((plan: AttackPlan) => {
  const { writeRequests, behave } = SITUATIONS[plan.situation];
  const requestsOf = plan.attackers.map((attacker) => writeRequests(attacker, plan.targets));
  return {
    run: async (startAtMs: number): Promise<AttackResult> => {
      await delay(Math.max(0, startAtMs - now()));
      const attack = new Attack(plan, requestsOf);
      if (plan.perSecond === undefined) {
        for (const client of attack.clients) behave(client);
        await delay(plan.seconds * 1_000);
        return { ...attack.end(), notSent: 0, servedP99Ms: Number.NaN };
      }
      const load = offerLoad(attack.clients, plan.perSecond);
      await delay(plan.seconds * 1_000);
      const servedMs = load.servedMs.toSorted((a, b) => a - b);
      return {
        ...attack.end(),
        notSent: load.countNotSent(),
        servedP99Ms: percentile(servedMs, 0.99),
      };
    },
  };
});

class Attack {
  readonly clients: readonly AttackClient[];
  readonly #plan: AttackPlan;
  readonly #requestsOf: readonly (readonly AttackRequest[])[];
  readonly #open = new Set<RawConnection>();
  readonly #startedAtMs = now();
  readonly #statuses: Record<string, number> = {};
  #requests = 0;
  #served = 0;
  #rejectionsWithoutRetryAfter = 0;
  #isOver = false;

  constructor(plan: AttackPlan, requestsOf: readonly (readonly AttackRequest[])[]) {
    this.#plan = plan;
    this.#requestsOf = requestsOf;
    this.clients = Array.from({ length: plan.connections }, (_, index) => this.#addClient(index));
  }

  end(): Omit<AttackResult, 'notSent' | 'servedP99Ms'> {
    this.#isOver = true;
    const endedAtMs = now();
    for (const connection of this.#open) connection.destroy();
    return {
      startedAtMs: this.#startedAtMs,
      endedAtMs,
      requests: this.#requests,
      statuses: this.#statuses,
      rejectionsWithoutRetryAfter: this.#rejectionsWithoutRetryAfter,
      servedPerSecond: (this.#served * 1_000) / (endedAtMs - this.#startedAtMs - OPENING_MS),
    };
  }

  /** Connections belong to the attackers in turn. Where there are more attackers, one connection sends requests of several. */
  #addClient(index: number): AttackClient {
    const { port, attackers, connections } = this.#plan;
    const own = Array.from(
      { length: Math.max(1, Math.ceil((attackers.length - index) / connections)) },
      (_, lap) => (index + lap * connections) % attackers.length,
    );
    const requests = interleave(own.map((attacker) => this.#requestsOf[attacker] ?? []));
    const address = attackers[index % attackers.length]?.address ?? '';
    let count = index;
    return {
      index,
      isOver: () => this.#isOver,
      nextRequest: () => {
        count += 1;
        return requests[count % requests.length]?.write(count) ?? '';
      },
      countRequest: () => {
        this.#requests += 1;
      },
      connect: (events) =>
        this.#track((tracked) => openConnection({ port, address }, tracked), events),
      connectUnread: (events) =>
        this.#track((tracked) => openUnreadConnection({ port, address }, tracked), events),
      later: (milliseconds, action) => void setTimeout(action, milliseconds),
    };
  }

  /** Opens a connection that is counted, and destroyed at the end. */
  #track<Connection extends RawConnection>(
    open: (events: ConnectionEvents) => Connection,
    { onOpen, onResponse, onClose }: Partial<ConnectionEvents>,
  ): Connection {
    const connection = open({
      onOpen: () => onOpen?.(),
      onResponse: (response) => {
        if (this.#isOver) return;
        this.#countResponse(response);
        onResponse?.(response);
      },
      onClose: (error) => {
        this.#open.delete(connection);
        if (this.#isOver) return;
        if (error !== undefined) this.#count(error);
        onClose?.(error);
      },
    });
    this.#open.add(connection);
    return connection;
  }

  #countResponse({ status, hasRetryAfter }: RawResponse): void {
    this.#count(String(status));
    if (status === 200 && now() - this.#startedAtMs >= OPENING_MS) this.#served += 1;
    if (REJECTIONS.includes(status) && !hasRetryAfter) this.#rejectionsWithoutRetryAfter += 1;
  }

  #count(outcome: string): void {
    this.#statuses[outcome] = (this.#statuses[outcome] ?? 0) + 1;
  }
}

/** The first request of each list, then the second of each. */
const interleave = (lists: readonly (readonly AttackRequest[])[]): AttackRequest[] =>
  Array.from({ length: lists[0]?.length ?? 0 }, (_, index) =>
    lists.flatMap((list) => list[index] ?? []),
  ).flat();
