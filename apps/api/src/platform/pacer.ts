// Long work shares the event loop: it lets everything else run whenever it has had its time.
import { setImmediate } from 'node:timers/promises';

/** What a request may have to wait for each of the others that are being worked on. */
const TURN_MS = 10;

export type Pacer = {
  /** True when the work has had its turn. Asked often, it costs a look at the clock. */
  isDue(): boolean;
  /** Lets everything else run. */
  rest(): Promise<void>;
};

/** For one piece of work, from now on. Between two looks there may be a few milliseconds of work. */
export const createPacer = (turnMs = TURN_MS): Pacer => {
  let startedAt = performance.now();
  return {
    isDue: () => performance.now() - startedAt >= turnMs,
    rest: async () => {
      await setImmediate();
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
