// The metrics of all workers as one: counters and histograms are added up, of all who answer in time. The library's own way answers
// nothing at all when one of them is frozen, or has just begun to start.
import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { AggregatorRegistry, Registry } from 'prom-client';
import type { Metrics, MetricsSource } from '../observability/index.ts';
import type { MetricsAnswer, MetricsQuestion } from './worker-message.ts';
import { readMetricsAnswer, readMetricsQuestion } from './worker-message.ts';

/** A worker under load answers within some tens of milliseconds, and Prometheus waits for ten seconds. */
const PATIENCE_MS = 1_000;

/** For the supervisor. */
export const createWorkerMetrics = (): MetricsSource => {
  let number = 0;
  const collect = async (): Promise<object[][]> => {
    number += 1;
    const asked = Object.values(cluster.workers ?? {}).map((worker) => ask(worker, number));
    return (await Promise.all(asked)).filter((metrics) => metrics !== null);
  };
  return {
    registry: {
      contentType: Registry.PROMETHEUS_CONTENT_TYPE,
      metrics: async () => AggregatorRegistry.aggregate(await collect()).metrics(),
    },
  };
};

/** Null where there is no answer in time. */
const ask = async (worker: Worker | undefined, number: number): Promise<object[] | null> => {
  if (!worker?.isConnected()) return null;
  const { promise, resolve } = Promise.withResolvers<object[] | null>();
  const onMessage = (message: unknown) => {
    const answer = readMetricsAnswer(message);
    if (answer?.number === number) resolve(answer.metrics);
  };
  const giveUp = () => resolve(null);
  const timer = setTimeout(giveUp, PATIENCE_MS);
  worker.on('message', onMessage).once('disconnect', giveUp);
  worker.send({ muster: 'metrics?', number } satisfies MetricsQuestion, giveUpOn(giveUp));
  const metrics = await promise;
  clearTimeout(timer);
  worker.off('message', onMessage).off('disconnect', giveUp);
  return metrics;
};

/** A worker may end between the look at it and the question. */
const giveUpOn = (giveUp: () => void) => (error: Error | null) => {
  if (error) giveUp();
};

/** For a worker: its metrics go to the supervisor whenever that asks. */
export const giveMetrics = ({ registry }: Pick<Metrics, 'registry'>): void => {
  process.on('message', async (message) => {
    const question = readMetricsQuestion(message);
    if (!question || !process.connected) return;
    const metrics = await registry.getMetricsAsJSON();
    const answer: MetricsAnswer = { muster: 'metrics', number: question.number, metrics };
    if (process.connected) process.send?.(answer);
  });
};
