// Joins that a limit rejects, in the charts of the admin app.
import { expect, test } from 'vitest';
import { createLogger } from '../platform/index.ts';
import { createMetrics } from '../telemetry/index.ts';
import { createOverloadMetrics } from './overload-metrics.ts';

test('counts joins that load shedding rejects as failed, and no other rejections', () => {
  const metrics = createMetrics({ pools: {}, process: false });
  const { noteRejected } = createOverloadMetrics(
    metrics.registry,
    createLogger('silent'),
    metrics.countShedJoin,
  );
  for (const reason of ['concurrency', 'overload', 'start_delay', 'queue_full', 'pipelined']) {
    noteRejected('join', reason);
  }
  noteRejected('any', 'rate_limit');
  noteRejected('history', 'concurrency');
  expect(metrics.activity.take().map(([, counts]) => counts)).toEqual([
    { 'join:service_overloaded': 4 },
  ]);
});
