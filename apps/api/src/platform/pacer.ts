// Long work shares the event loop: it lets everything else run whenever it has had its time.
import { setTimeout as delay, setImmediate } from 'node:timers/promises';

const TURN_MS = 2;
/** A turn that seems to have been longer was not: the work waited for something meanwhile. */
const LONGEST_REST_MS = 30;

/** All work that rests. One piece of it goes on in each round of the event loop, however much there is. */
let resting: Promise<void> = Promise.resolve();

export type Pacer = {
  /** True when the work has had its turn. Asked often, it costs a look at the clock. */
  isDue(): boolean;
  /** Lets everything else run. */
  rest(): Promise<void>;
};

/**
 * For one piece of work, from now on. Between two looks there may be a few milliseconds of work. With `rest`, the work then stays away
 * for so many times as long as its turn took, so that most rounds of the event loop are without it.
 */
export const createPacer = (turnMs = TURN_MS, rest = 0): Pacer => {
  let startedAt = performance.now();
  return {
    isDue: () => performance.now() - startedAt >= turnMs,
    rest: async () => {
      const restMs = Math.min(rest * (performance.now() - startedAt), LONGEST_REST_MS);
      if (restMs > 0) await delay(restMs);
      resting = resting.then(() => setImmediate());
      await resting;
      startedAt = performance.now();
    },
  };
};

/** Goes through all elements in their order, and lets everything else run in between. */
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

/** The same, with what is made of each. */
export const mapPaced = async <Element, Result>(
  elements: Iterable<Element>,
  make: (element: Element) => Result,
): Promise<Result[]> => {
  const made: Result[] = [];
  await forEachPaced(elements, (element) => void made.push(make(element)));
  return made;
};

export type Turns = <Result>(work: () => Result | Promise<Result>) => Promise<Result>;

/**
 * Costly pieces of work of one kind, one at a time and in their order. Each is followed by a rest, so many times as long as it took, for
 * everything else: one that yields the event loop without a rest leaves others only what another one has to wait for anyway.
 */
export const createTurns = (rest: number): Turns => {
  let last: Promise<void> = Promise.resolve();
  return async (work) => {
    const turn = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await turn;
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      void delay(rest * (performance.now() - startedAt)).then(resolve);
    }
  };
};
