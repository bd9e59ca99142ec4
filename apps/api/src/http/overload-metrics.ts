// Shows the limits to operators: metrics of requests in progress, running, waiting and rejected, of memory held for slow clients, and one
// log line per ten seconds about rejections, since a line for each would cost more than the rejection.
import type { Registry } from 'prom-client';
import { Counter, Gauge } from 'prom-client';
import type { Logger } from '../platform/index.ts';
import { createCountingLog } from '../platform/index.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { LoadShedder } from './load-shedding.ts';
import type { LongPolls } from './long-polls.ts';
import type { MemoryBudget } from './memory-budget.ts';

type Observed = {
  shedder: LoadShedder;
  slots: Record<string, ConcurrencyLimiter>;
  budget: MemoryBudget;
  longPolls: LongPolls;
};

/** `countShedJoin` is called for each join that a limit rejects before it is decided. */
export const createOverloadMetrics = (
  registry: Registry,
  logger: Logger,
  countShedJoin: () => void,
) => {
  const registers = [registry];
  const rejected = new Counter({
    name: 'muster_requests_refused_total',
    help: 'Requests rejected at a limit, by kind and by the limit.',
    labelNames: ['kind', 'reason'],
    registers,
  });
  const cut = new Counter({
    name: 'muster_requests_cut_total',
    help: 'Requests ended because their client sent or read too slowly.',
    labelNames: ['reason'],
    registers,
  });
  const dropped = new Counter({
    name: 'muster_connections_dropped_total',
    help: 'Connections closed at once because there were MAX_CONNECTIONS.',
    registers,
  });
  const log = createCountingLog((refused) =>
    logger.warn({ refused }, 'requests were rejected at a limit'),
  );
  const gauge = (name: string, help: string, read: () => number | Promise<number>) => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  };
  const gaugeByKind = <Part>(
    name: string,
    help: string,
    parts: Record<string, Part>,
    read: (part: Part) => number,
  ) => {
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers,
      collect() {
        for (const [kind, part] of Object.entries(parts)) this.set({ kind }, read(part));
      },
    });
  };
  return {
    /** Kinds and reasons are from small sets. */
    noteRejected: (kind: string, reason: string): void => {
      rejected.inc({ kind, reason });
      log(`${kind}: ${reason}`);
      // A pipelined request is a mistake of its client.
      if (kind === 'join' && reason !== 'pipelined') countShedJoin();
    },
    noteCut: (reason: 'slow_body' | 'slow_reader'): void => cut.inc({ reason }),
    noteDropped: (): void => {
      dropped.inc();
      log('connections');
    },
    observeConnections: (count: () => Promise<number>): void =>
      gauge('muster_connections', 'Open connections of clients.', count),
    observe: ({ shedder, slots, budget, longPolls }: Observed): void => {
      gaugeByKind(
        'muster_requests_in_progress',
        'Requests from their arrival until their response is written, by kind.',
        shedder.counts,
        (count) => count,
      );
      gaugeByKind(
        'muster_requests_running',
        'Requests that hold a slot, by kind.',
        slots,
        ({ running }) => running,
      );
      gaugeByKind(
        'muster_requests_waiting',
        'Requests that wait for a slot, by kind.',
        slots,
        ({ waiting }) => waiting,
      );
      gauge(
        'muster_unread_response_bytes',
        'Bytes of responses that clients have not read.',
        () => budget.responseBytes,
      );
      gauge(
        'muster_watches_waiting',
        'Requests that wait for a change of a session or for an event.',
        () => longPolls.waiting,
      );
      gauge('muster_body_bytes', 'Bytes of request bodies in memory.', () => budget.bodyBytes);
    },
  };
};
