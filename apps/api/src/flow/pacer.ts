// Long work yields the event loop at short intervals, so that other requests continue.
import { setTimeout as delay, setImmediate } from 'node:timers/promises';

const TURN_MS = 2;

/** Paused work in order. One piece continues in each iteration of the event loop. */
let resting: Promise<void> = Promise.resolve();

export type Pacer = {
  /** True when the work has used its time slice. */
  isDue(): boolean;
  /** Yields the event loop. */
  rest(): Promise<void>;
};

/** Paces one piece of work from now on. */
export const createPacer = (): Pacer => {
  let startedAt = performance.now();
  return {
    isDue: () => performance.now() - startedAt >= TURN_MS,
    rest: async () => {
      resting = resting.then(() => setImmediate());
      await resting;
      startedAt = performance.now();
    },
  };
};

/** Visits the elements in order and yields the event loop in between. */
export const forEachPaced = async <Element>(
  elements: Iterable<Element>,
  visit: (element: Element) => void,
  pacer: Pacer = createPacer(),
): Promise<void> => {
  for (const element of elements) {
    if (pacer.isDue()) await pacer.rest();
    visit(element);
  }
};

/** Like `forEachPaced`, for a map. */
export const mapPaced = async <Element, Result>(
  elements: Iterable<Element>,
  make: (element: Element) => Result,
): Promise<Result[]> => {
  const made: Result[] = [];
  await forEachPaced(elements, (element) => void made.push(make(element)));
  return made;
};

export type SerialQueue = <Result>(work: () => Result | Promise<Result>) => Promise<Result>;

/** Runs costly work one piece at a time and in order. A pause after each takes `rest` times as long as the work did. */
export const createSerialQueue = (rest: number): SerialQueue => {
  let last: Promise<void> = Promise.resolve();
  return async (work) => {
    const previous = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await previous;
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      void delay(rest * (performance.now() - startedAt)).then(resolve);
    }
  };
};
