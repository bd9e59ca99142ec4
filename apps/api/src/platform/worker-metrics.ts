// The metrics of all workers as one: counters and histograms are added up, and one that does not answer in time is
// shown as it was last. The library's own way answers nothing at all when one of them is frozen, or has just begun to start.
import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { AggregatorRegistry, Registry } from 'prom-client';
import type { Metrics, MetricsSource } from './metrics.ts';
import { MetricsAnswer, MetricsQuestion } from './workers.ts';

/** A worker under load answers within some tens of milliseconds, and Prometheus waits for ten seconds. */
const PATIENCE_MS = 1_000;

/** For the supervisor. Sums never go back while it lives: Prometheus would take that for a restart, and count everything anew. */
export const createWorkerMetrics = (): MetricsSource => {
  let number = 0;
  /** What each worker has said last. */
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

/** Anything else says how a process is, which ends with it. */
const isCounted = (metric: object): boolean =>
  'type' in metric && (metric.type === 'counter' || metric.type === 'histogram');

/** Null where there is no answer in time. */
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
  // It may have ended between the look at it and the question.
  worker.send(question, (error) => error && giveUp());
  const metrics = await promise;
  clearTimeout(timer);
  worker.off('message', onMessage).off('disconnect', giveUp);
  return metrics;
};

/** For a worker: its metrics go to the supervisor whenever that asks. */
export const giveMetrics = ({ registry }: Pick<Metrics, 'registry'>): void => {
  process.on('message', async (message) => {
    const question = MetricsQuestion.safeParse(message).data;
    if (!question || !process.connected) return;
    const metrics = await registry.getMetricsAsJSON();
    const answer: MetricsAnswer = { muster: 'metrics', number: question.number, metrics };
    if (process.connected) process.send?.(answer);
  });
};
