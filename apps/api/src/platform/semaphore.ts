// Lets so many pieces of work run at once; the others wait, in their order.

export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

export const createSemaphore = (atOnce: number): Semaphore => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running += 1;
    // Whoever leaves hands the place on.
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};
