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
 * An array that stops reading its elements once it has enough problems, those of nested lists included. Otherwise a
 * thousand lists of a thousand bad elements each would produce a million problems and block the event loop. When a long
 * list is read asynchronously, it yields to the event loop between elements.
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
    /** Reads one element; false when the list is complete or has enough problems. */
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
      // Most lists finish within one slice and keep the order of the members around them.
      const isLong = context.async && performance.now() - startedAt >= SLICE_MS;
      if (isLong) return readPaced(readNext).then(() => payload);
    }
    return payload;
  };
});

/** Node.js accepts one connection in each iteration of its event loop, so a long slice delays new clients. */
const SLICE_MS = 2;

/** Serializes the pauses of all long lists: one list continues in each iteration of the event loop. */
let lastPause: Promise<unknown> = Promise.resolve();

/** Browsers have timers only, and all due timers run in one iteration of the event loop. */
const { setImmediate: runNext = setTimeout } = globalThis as {
  setImmediate?: (run: (value?: unknown) => void) => unknown;
};

const pause = (): Promise<unknown> => {
  lastPause = lastPause.then(() => new Promise((resolve) => runNext(resolve)));
  return lastPause;
};

const readPaced = async (readNext: () => boolean): Promise<void> => {
  let isMore = true;
  while (isMore) {
    await pause();
    const startedAt = performance.now();
    do isMore = readNext();
    while (isMore && performance.now() - startedAt < SLICE_MS);
  }
};
