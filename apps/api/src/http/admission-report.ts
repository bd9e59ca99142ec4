// How operators see the limits: metrics of what runs, waits, is rejected or is held for slow clients, and one log line per ten
// seconds about rejections, since a line for each would cost more than the rejection.
import type { Registry } from 'prom-client';
import { Counter, Gauge } from 'prom-client';
import type { Logger, Metrics, Readiness } from '../platform/index.ts';
import { createCountingLog } from '../platform/index.ts';
import type { AdmissionLimits } from './admission.ts';
import { Admission } from './admission.ts';
import { logUnreadable } from './request-log.ts';
import type { HttpServerOptions } from './server.ts';

type ReportedAdmissionOptions = {
  limits: HttpServerOptions['limits'] & AdmissionLimits;
  logger: Logger;
  metrics: Metrics;
  readiness: Readiness;
};

/** The admission of this process, with its metrics and its log. */
export const createReportedAdmission = ({
  limits,
  logger,
  metrics: { registry },
  readiness,
}: ReportedAdmissionOptions) => {
  const registers = [registry];
  const rejected = new Counter({
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
  const log = createCountingLog((refused) =>
    logger.warn({ refused }, 'requests were turned away at a limit'),
  );
  /** Kinds and reasons are from small sets. */
  const noteRejected = (kind: string, reason: string) => {
    rejected.inc({ kind, reason });
    log(`${kind}: ${reason}`);
  };
  const admission = new Admission({
    ...{ limits, isStopping: readiness.isStopping, onRejected: noteRejected },
    onCut: (reason) => cut.inc({ reason }),
  });
  observeAdmission(registry, () => admission.counts());
  const serverOptions: HttpServerOptions = {
    ...{ limits, admission },
    onPipelined: (kind) => noteRejected(kind, 'pipelined'),
    observeConnections: (count) => {
      addGauge(registry, 'muster_connections', 'Connections that clients have open.', count);
    },
    onUnreadable: (requestId, refusal) => logUnreadable(logger, requestId, refusal),
    onConnectionDropped: () => {
      dropped.inc();
      log('connections');
    },
  };
  return { admission, serverOptions, noteRejected };
};

const observeAdmission = (
  registry: Registry,
  read: () => ReturnType<Admission['counts']>,
): void => {
  const gauge = (name: string, help: string, value: () => number) =>
    addGauge(registry, name, help, value);
  const gaugeByKind = (name: string, help: string, values: () => Record<string, number>) =>
    new Gauge({
      ...{ name, help, labelNames: ['kind'], registers: [registry] },
      collect() {
        for (const [kind, value] of Object.entries(values())) this.set({ kind }, value);
      },
    });
  gaugeByKind(
    'muster_requests_under_way',
    'Requests that are worked on, by kind.',
    () => read().running,
  );
  gaugeByKind(
    'muster_requests_waiting',
    'Requests that wait until they can be worked on, by kind.',
    () => read().waiting,
  );
  gauge(
    'muster_joins_waiting',
    'Joins that wait for a look-up, for their turn, or for their write, without those that admins try out.',
    () => read().running.join,
  );
  gauge(
    'muster_refusals_waiting',
    'Refusals that wait for their turn to be sent.',
    () => read().waitingRejections,
  );
  gauge(
    'muster_unread_answer_bytes',
    'Bytes of complete answers that clients have not read.',
    () => read().unreadAnswerBytes,
  );
  gauge('muster_body_bytes', 'Bytes that large bodies under way may hold.', () => read().bodyBytes);
};

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
