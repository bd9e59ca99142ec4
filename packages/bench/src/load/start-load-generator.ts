// The parent's side of the load generator.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RequestPlan } from '../requests/prepare-requests.ts';
import { acquire } from '../stopping/acquire.ts';
import type { LoadCommand, LoadJob, LoadReply, LoadResult } from './load-job.ts';

export type LoadGenerator = {
  /** Replaces the requests that later runs send. */
  prepare(plan: RequestPlan): Promise<void>;
  run(job: LoadJob): Promise<LoadResult>;
  stop(): Promise<void>;
};

const ENTRY = fileURLToPath(new URL('load-process.ts', import.meta.url));

type Unsent = LoadCommand extends infer Command
  ? Command extends LoadCommand
    ? Omit<Command, 'id'>
    : never
  : never;

export const startLoadGenerator = (): LoadGenerator => {
  const start = () => {
    const child = fork(ENTRY, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    return { child, exited: once(child, 'exit') };
  };
  const { thing, release } = acquire(start, async ({ child, exited }) => {
    // It holds nothing that is worth an orderly end, and may be busy preparing requests.
    child.kill('SIGKILL');
    await exited;
  });
  const { child } = thing;
  const waiting = new Map<number, PromiseWithResolvers<LoadResult | undefined>>();
  let lastId = 0;
  child.on('message', ({ id, result, error }: LoadReply) => {
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) waiter?.resolve(result);
    else waiter?.reject(new Error(error));
  });
  child.on('exit', () => {
    for (const waiter of waiting.values()) waiter.reject(new Error('The load generator ended.'));
  });
  const ask = async (command: Unsent): Promise<LoadResult | undefined> => {
    if (!child.connected) throw new Error('The load generator has ended.');
    lastId += 1;
    const waiter = Promise.withResolvers<LoadResult | undefined>();
    waiting.set(lastId, waiter);
    child.send({ id: lastId, ...command });
    return waiter.promise;
  };
  return {
    prepare: async (plan) => {
      await ask({ kind: 'prepare', plan });
    },
    run: async (job) => {
      const result = await ask({ kind: 'run', job });
      if (!result) throw new Error('The load generator gave no result.');
      return result;
    },
    stop: release,
  };
};
