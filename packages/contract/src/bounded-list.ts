// Lists that are refused by their length before an element is looked at, and by their first thousand problems.
import { z } from 'zod';

type Bounds = { min?: number; max: number };

/**
 * A list of `min`..`max` elements. Too many are one problem: else a body of a megabyte could hold half a million elements, each
 * with problems of its own. The preprocessing changes nothing about the type, so it is declared as the array that it is.
 */
export const boundedList = <Element extends z.ZodType>(
  element: Element,
  { min = 0, max }: Bounds,
): z.ZodArray<Element> => {
  const elements = new HaltingArray({ type: 'array', element }).max(max) as z.ZodArray<Element>;
  const list = min > 0 ? elements.min(min) : elements;
  return z.preprocess(refuseLonger(max), list) as unknown as typeof list;
};

/** The first step of reading a list, for `z.preprocess`. */
export const refuseLonger =
  (maximum: number) =>
  (input: unknown, { issues }: z.core.ParsePayload): unknown => {
    if (Array.isArray(input) && input.length > maximum) {
      issues.push({ code: 'too_big', origin: 'array', maximum, inclusive: true, input });
    }
    return input;
  };

/** More than `limitProblems` lists: each problem of an element takes more than 70 characters, and 64 KiB end before a thousand. */
const ENOUGH_PROBLEMS = 1_000;

/**
 * An array that looks at no further element once so many problems are known, those of lists inside it included. A thousand lists of
 * a thousand bad elements each would otherwise make a million of them, while everybody waits. Read asynchronously, a long list lets
 * everything else run in between; each of its elements is read in one step.
 */
const HaltingArray = z.core.$constructor<z.ZodArray>('HaltingArray', (list, def) => {
  z.ZodArray.init(list, def);
  const parse = list._zod.parse;
  list._zod.parse = (payload, context) => {
    const input: unknown = payload.value;
    if (!Array.isArray(input)) return parse(payload, context);
    const output: unknown[] = [];
    payload.value = output;
    const atOnce = { ...context, async: false };
    /** False when nothing more is to be read. */
    const readNext = (): boolean => {
      const index = output.length;
      if (index >= input.length || payload.issues.length >= ENOUGH_PROBLEMS) return false;
      const element = { value: input[index], issues: [] };
      const read = def.element._zod.run(element, atOnce) as z.core.ParsePayload;
      if (read.issues.length > 0) {
        payload.issues.push(...z.core.util.prefixIssues(index, read.issues));
      }
      output.push(read.value);
      return true;
    };
    const startedAt = performance.now();
    while (readNext()) {
      // Most lists are read by then, in the order of the members around them.
      const isLong = context.async && performance.now() - startedAt >= TURN_MS;
      if (isLong) return readPaced(readNext).then(() => payload);
    }
    return payload;
  };
});

const TURN_MS = 10;

/** Of all lists that rest, one goes on in each round of the event loop, however many there are. */
let resting: Promise<unknown> = Promise.resolve();

/** Timers that are due run in one round, however long each takes; browsers have nothing else. */
const { setImmediate: inNextRound = setTimeout } = globalThis as {
  setImmediate?: (run: (value?: unknown) => void) => unknown;
};

const rest = (): Promise<unknown> => {
  resting = resting.then(() => new Promise((resolve) => inNextRound(resolve)));
  return resting;
};

const readPaced = async (readNext: () => boolean): Promise<void> => {
  let isMore = true;
  while (isMore) {
    await rest();
    const startedAt = performance.now();
    do isMore = readNext();
    while (isMore && performance.now() - startedAt < TURN_MS);
  }
};
