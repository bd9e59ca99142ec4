// How query strings are read: a parameter that must stand alone, integers, lists.
import { z } from 'zod';

/** A scalar parameter that stands in the query twice is refused, since either value could be meant. */
export const once = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value, context) => {
    if (!Array.isArray(value)) return value;
    context.issues.push({
      code: 'custom',
      input: value,
      message: 'Must not be given more than once',
      params: { type: 'value_error.repeated' },
    });
    return z.NEVER;
  }, schema);

/** Decimal digits become a number; anything else (an empty value too) stays a string and is refused. */
export const integerParameter = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value),
    schema,
  );

/** Repeated keys and comma-separated values, in the order given; absent stays absent. */
export const listParameter = <Schema extends z.ZodType>(element: Schema, maxItems: number) =>
  z.preprocess(
    (value) => (value === undefined ? undefined : toList(value)),
    z.array(element).max(maxItems).optional(),
  );

const toList = (value: unknown): unknown[] =>
  (Array.isArray(value) ? value : [value]).flatMap((entry) =>
    typeof entry === 'string' ? entry.split(',') : [entry],
  );
