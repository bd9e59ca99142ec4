// Lets only so many calls run at once; the others wait in the order in which they came.

/** As many as the pool has connections: waiting there would count against its time to connect. */
export const POOL_SIZE = 10;

export const limitConcurrency = <Input, Output>(
  limit: number,
  work: (input: Input) => Promise<Output>,
): ((input: Input) => Promise<Output>) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (input) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work(input);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};
