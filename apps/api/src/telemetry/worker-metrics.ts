// The metrics of all workers as one: counters and histograms are added up. For a worker that does not answer in time, the last
// values count. The library's own aggregation fails when one worker is frozen or has just begun to start.
import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { AggregatorRegistry, Registry } from 'prom-client';
import { z } from 'zod';
import type { Metrics, MetricsSource } from './metrics.ts';

/** A worker under load answers within some tens of milliseconds, and Prometheus waits for ten seconds. */
const PATIENCE_MS = 1_000;

/** For the supervisor. Sums never decrease while it runs: Prometheus would take that for a restart, and count everything again. */
export const createWorkerMetrics = (): MetricsSource => {
  let number = 0;
  /** The last values of each worker. */
  const last = new Map<number, object[]>();
  /** The sums of workers that have ended. */
  let gone: Promise<object[]> = Promise.resolve([]);
  cluster.on('exit', ({ id }) => {
    const metrics = last.get(id);
    last.delete(id);
    if (metrics) gone = gone.then((sums) => addUp([sums, metrics.filter(isCounted)]));
  });
  const look = async (worker: Worker): Promise<void> => {
    const metrics = await ask(worker, number);
    if (metrics && !worker.isDead()) last.set(worker.id, metrics);
  };
  return {
    registry: {
      contentType: Registry.PROMETHEUS_CONTENT_TYPE,
      metrics: async () => {
        number += 1;
        await Promise.all(
          Object.values(cluster.workers ?? {}).map((worker) => worker && look(worker)),
        );
        return AggregatorRegistry.aggregate([await gone, ...last.values()]).metrics();
      },
    },
  };
};

const addUp = (metrics: object[][]): Promise<object[]> =>
  AggregatorRegistry.aggregate(metrics).getMetricsAsJSON();

/** Other types describe a running process, and end with it. */
const isCounted = (metric: object): boolean =>
  'type' in metric && (metric.type === 'counter' || metric.type === 'histogram');

/** Null without an answer in time. */
const ask = async (worker: Worker, number: number): Promise<object[] | null> => {
  if (!worker.isConnected()) return null;
  const { promise, resolve } = Promise.withResolvers<object[] | null>();
  const onMessage = (message: unknown) => {
    const answer = MetricsAnswer.safeParse(message).data;
    if (answer?.number === number) resolve(answer.metrics);
  };
  const giveUp = () => resolve(null);
  const timer = setTimeout(giveUp, PATIENCE_MS);
  worker.on('message', onMessage).once('disconnect', giveUp);
  const question: MetricsQuestion = { muster: 'metrics?', number };
  // The worker may have ended since the check.
  worker.send(question, (error) => error && giveUp());
  const metrics = await promise;
  clearTimeout(timer);
  worker.off('message', onMessage).off('disconnect', giveUp);
  return metrics;
};

/** For a worker: sends its metrics to the supervisor on request. */
export const giveMetrics = ({ registry }: Pick<Metrics, 'registry'>): void => {
  process.on('message', async (message) => {
    const question = MetricsQuestion.safeParse(message).data;
    if (!question || !process.connected) return;
    const metrics = await registry.getMetricsAsJSON();
    const answer: MetricsAnswer = { muster: 'metrics', number: question.number, metrics };
    if (process.connected) process.send?.(answer);
  });
};

// The messages between the supervisor and its workers.

const MetricsQuestion = z.object({ muster: z.literal('metrics?'), number: z.int() });
type MetricsQuestion = z.infer<typeof MetricsQuestion>;

/** Only prom-client creates and reads the metrics. */
const MetricsAnswer = z.object({
  muster: z.literal('metrics'),
  number: z.int(),
  metrics: z.array(z.custom<object>()),
});
type MetricsAnswer = z.infer<typeof MetricsAnswer>;
