// The metrics of the limits: what is under way, what is turned away, and what is held for slow clients.
import type { Registry } from 'prom-client';
import { Counter, Gauge } from 'prom-client';

export type AdmissionState = {
  underWay: Record<string, number>;
  waiting: Record<string, number>;
  waitingRefusals: number;
  unreadAnswerBytes: number;
  bodyBytes: number;
};

export type AdmissionMetrics = {
  /** Kinds and reasons are from small sets. */
  countRefused(kind: string, reason: string): void;
  countCut(reason: string): void;
  /** Reads `state` whenever the metrics are asked for. */
  observe(state: () => AdmissionState): void;
  countDroppedConnection(): void;
  observeConnections(count: () => Promise<number>): void;
  observeWaitingJoins(count: () => number): void;
};

export const createAdmissionMetrics = (registry: Registry): AdmissionMetrics => {
  const registers = [registry];
  const refused = new Counter({
    name: 'muster_requests_refused_total',
    help: 'Requests turned away early, by kind and by the limit that was reached.',
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
  return {
    countRefused: (kind, reason) => refused.inc({ kind, reason }),
    countCut: (reason) => cut.inc({ reason }),
    countDroppedConnection: () => dropped.inc(),
    observeConnections: (count) => addGauge(registry, 'muster_connections', CONNECTIONS, count),
    observeWaitingJoins: (count) => addGauge(registry, 'muster_joins_waiting', JOINS, count),
    observe: (state) => {
      addKindGauge(registry, 'muster_requests_under_way', UNDER_WAY, () => state().underWay);
      addKindGauge(registry, 'muster_requests_waiting', QUEUED, () => state().waiting);
      addGauge(registry, 'muster_refusals_waiting', WAITING, () => state().waitingRefusals);
      addGauge(registry, 'muster_unread_answer_bytes', UNREAD, () => state().unreadAnswerBytes);
      addGauge(registry, 'muster_body_bytes', BODIES, () => state().bodyBytes);
    },
  };
};

const CONNECTIONS = 'Connections that clients have open.';
const JOINS = 'Joins that wait for a look-up, for their turn, or for their write.';
const UNDER_WAY = 'Requests that are worked on, by kind.';
const QUEUED = 'Requests that wait until they can be worked on, by kind.';
const WAITING = 'Refusals that wait for their turn to be sent.';
const UNREAD = 'Bytes of complete answers that clients have not read.';
const BODIES = 'Bytes that large bodies under way may hold.';

const addGauge = (
  registry: Registry,
  name: string,
  help: string,
  read: () => number | Promise<number>,
): void => {
  new Gauge({
    ...{ name, help, registers: [registry] },
    async collect() {
      this.set(await read());
    },
  });
};

const addKindGauge = (
  registry: Registry,
  name: string,
  help: string,
  read: () => Record<string, number>,
): void => {
  new Gauge({
    ...{ name, help, labelNames: ['kind'], registers: [registry] },
    collect() {
      for (const [kind, value] of Object.entries(read())) this.set({ kind }, value);
    },
  });
};
