// What stands in front of the application in one process: its limits, and how they are seen in metrics and logs.
import type { Logger, Metrics, Readiness } from '../../observability/index.ts';
import { createAdmissionMetrics } from '../../observability/index.ts';
import type { HttpServerOptions } from '../http-server.ts';
import type { AdmissionLimits } from './admission.ts';
import { Admission } from './admission.ts';
import { createRefusalLog } from './refusal-log.ts';

export type EdgeOptions = {
  limits: HttpServerOptions['limits'] & AdmissionLimits;
  logger: Logger;
  metrics: Metrics;
  readiness: Readiness;
};

export const createEdge = ({ limits, logger, metrics, readiness }: EdgeOptions) => {
  const seen = createAdmissionMetrics(metrics.registry);
  const log = createRefusalLog(logger);
  const noteRefused = (kind: string, reason: string) => {
    seen.countRefused(kind, reason);
    log(`${kind}: ${reason}`);
  };
  const admission = new Admission({
    ...{ limits, isStopping: readiness.isStopping, onRefused: noteRefused },
    onCut: seen.countCut,
  });
  seen.observe(() => admission.counts());
  const serverOptions: HttpServerOptions = {
    ...{ limits, admission, observeConnections: seen.observeConnections },
    onConnectionDropped: () => {
      seen.countDroppedConnection();
      log('connections');
    },
  };
  return { serverOptions, noteRefused, observeWaitingJoins: seen.observeWaitingJoins };
};
