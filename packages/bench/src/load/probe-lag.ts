// A thread that asks /healthz again and again, each time when the answer before has come: what an answer takes beyond a fraction of
// a millisecond is the time for which the service's event loop was held.
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Between two questions: asked without a pause, the probe would be a load of its own. */
const PAUSE_MS = 2;

type Lag = { p99Ms: number; highestMs: number; answers: number };

type Probe = { stop(): Promise<Lag> };

/** Probes until it is stopped. A thread of its own, since the upload of a large file holds the thread that sends it. */
export const startProbe = async (port: number): Promise<Probe> => {
  const worker = new Worker(new URL(import.meta.url), { workerData: { port } });
  await once(worker, 'message');
  return {
    stop: async () => {
      worker.postMessage('stop');
      const [times]: number[][] = await once(worker, 'message');
      await worker.terminate();
      return summarise(times ?? []);
    },
  };
};

const summarise = (times: number[]): Lag => {
  const sorted = times.toSorted((a, b) => a - b);
  const p99Ms = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  return { p99Ms, highestMs: sorted.at(-1) ?? 0, answers: sorted.length };
};

const probe = async (port: number): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let isStopped = false;
  parentPort?.once('message', () => {
    isStopped = true;
  });
  const ask = async () => {
    const startedAt = performance.now();
    const [response] = await once(get({ port, path: '/healthz', agent }), 'response');
    response.resume();
    await once(response, 'end');
    return performance.now() - startedAt;
  };
  // The first one opens the connection.
  await ask();
  parentPort?.postMessage('ready');
  while (!isStopped) {
    times.push(await ask());
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
  agent.destroy();
  parentPort?.postMessage(times);
};

if (!isMainThread && parentPort) await probe((workerData as { port: number }).port);
