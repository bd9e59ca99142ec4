// Lists that are refused by their length before an element is looked at.
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
  const elements = z.array(element).max(max);
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
