// WORKERS=n: several processes of the service on one machine, which share one port.

export { superviseWorkers } from './supervise-workers.ts';
export { tellReady } from './worker-message.ts';
export { createWorkerMetrics, giveMetrics } from './worker-metrics.ts';
export { assertWorkersPossible } from './workers-possible.ts';
