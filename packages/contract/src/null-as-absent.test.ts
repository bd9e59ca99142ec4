import { expect, test } from 'vitest';
import { z } from 'zod';
import { boundedList } from './bounded-list.ts';
import { createNullRemover } from './null-as-absent.ts';

const Inner = z.object({ needed: z.string(), wish: z.string().optional() });
const Schema = z.object({
  needed: z.string(),
  wish: z.string().optional(),
  filled: z.number().default(1),
  clearable: z.string().nullish(),
  anything: z.unknown().optional(),
  inner: Inner.optional(),
  list: boundedList(Inner, { max: 2 }).optional(),
  map: z.record(z.string(), z.string()).optional(),
  union: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), wish: z.string().optional() }),
      z.object({ kind: z.literal('b'), wish: z.string().nullable() }),
    ])
    .optional(),
});
const removeNulls = createNullRemover(Schema);

test('null for an optional member goes, at every depth', () => {
  const given = {
    wish: null,
    filled: null,
    map: null,
    unknown: null,
    inner: { needed: 'x', wish: null },
    list: [{ needed: 'x', wish: null }],
    union: { kind: 'a', wish: null },
  };
  expect(removeNulls(given)).toEqual({
    unknown: null,
    inner: { needed: 'x' },
    list: [{ needed: 'x' }],
    union: { kind: 'a' },
  });
  expect(given.inner).toEqual({ needed: 'x', wish: null });
});

test('keeps null where it has a meaning, and where it is invalid', () => {
  const given = {
    needed: null,
    clearable: null,
    anything: null,
    map: { key: null },
    inner: { needed: null },
    list: [null],
    union: { kind: 'b', wish: null },
  };
  expect(removeNulls(given)).toBe(given);
});

test('a list that is too long is left to be refused by its length', () => {
  const given = { list: Array.from({ length: 3 }, () => ({ wish: null })) };
  expect(removeNulls(given)).toBe(given);
});

test.each([null, 'text', 5, [], { union: null }, { union: 'text' }, { list: {} }])(
  '%j is no reason to throw',
  (value) => {
    expect(() => removeNulls(value)).not.toThrow();
  },
);
