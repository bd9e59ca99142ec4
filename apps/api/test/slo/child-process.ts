// Load comes from processes of their own: neither the attack nor the test that waits for it delays what the victims measure.
import { fork } from 'node:child_process';
import { once } from 'node:events';

export type Child<Result> = {
  /** Starts the work at this moment; resolves with its result. Rejects when the process ends without one. */
  run(startAtMs: number): Promise<Result>;
  /** Asks a child that is running to end early with the result so far. */
  finish(): void;
  stop(): void;
};

/** Milliseconds since 1970 with a fraction, the same in all processes of the machine. */
export const now = (): number => performance.timeOrigin + performance.now();

/** Resolves when the child has prepared its work. */
export const startChild = async <Plan, Result>(file: URL, plan: Plan): Promise<Child<Result>> => {
  const child = fork(file, {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${file.pathname} ended without a result.`);
  });
  // It is handled where a message is awaited.
  ended.catch(() => {});
  const nextMessage = async () => {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message;
  };
  child.send({ plan });
  await nextMessage();
  return {
    run: (startAtMs) => {
      child.send({ startAtMs });
      return nextMessage();
    },
    finish: () => void child.send({ finish: true }),
    stop: () => void child.kill('SIGKILL'),
  };
};

type Order<Plan> = { plan: Plan } | { startAtMs: number } | { finish: true };

/** The child's side: `prepare` returns the work, which `run` starts at a moment that the parent chooses. */
export const serveParent = <Plan, Result>(
  prepare: (plan: Plan) => { run(startAtMs: number): Promise<Result>; finish?(): void },
): void => {
  let work: ReturnType<typeof prepare> | undefined;
  process.once('disconnect', () => process.exit());
  process.on('message', async (order: Order<Plan>) => {
    if ('plan' in order) {
      work = prepare(order.plan);
      process.send?.({});
    } else if ('startAtMs' in order) {
      process.send?.(await work?.run(order.startAtMs));
    } else {
      work?.finish?.();
    }
  });
};
