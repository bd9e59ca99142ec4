import { expect, test } from 'vitest';
import { z } from 'zod';
import { boundedList } from './bounded-list.ts';

const listOf = <Element>(count: number, element: Element): Element[] => Array(count).fill(element);

/** A list of lists of numbers, and how many of these have been looked at. */
const createTable = () => {
  const looked = { at: 0 };
  const number = z.preprocess((value) => {
    looked.at += 1;
    return value;
  }, z.number());
  const row = boundedList(number, { max: 1_000 });
  return { looked, table: boundedList(row, { min: 1, max: 1_000 }) };
};

test.each([
  ['in one', 1_000, 1_000],
  ['in all', 10, 1_000],
  ['in two', 999, 1_998],
])('of lists in a list no more is read once a thousand problems are known: %s', (_, wide, read) => {
  const { looked, table } = createTable();
  const result = table.safeParse(listOf(1_000, listOf(wide, '')));
  expect(result.error?.issues).toHaveLength(read);
  expect(looked.at).toBe(read);
});

test('a thousand problems of one list are all found, and each says where it is', () => {
  const { table } = createTable();
  const mixed = [...listOf(999, [1]), [2, 'x', 3, null]];
  expect(table.safeParse(mixed).error?.issues).toMatchObject([
    { path: [999, 1], code: 'invalid_type' },
    { path: [999, 3], code: 'invalid_type' },
  ]);
  expect(table.safeParse([listOf(1_000, '')]).error?.issues.at(-1)).toMatchObject({
    path: [0, 999],
  });
});

test('what is no list, too short or too long is one problem, and what is valid is read as it is', () => {
  const { looked, table } = createTable();
  expect(table.safeParse('x').error?.issues).toMatchObject([{ code: 'invalid_type', path: [] }]);
  expect(table.safeParse([]).error?.issues).toMatchObject([{ code: 'too_small', minimum: 1 }]);
  expect(table.safeParse(listOf(1_001, ['x'])).error?.issues).toMatchObject([
    { code: 'too_big', maximum: 1_000, path: [] },
  ]);
  expect(looked.at).toBe(0);
  expect(table.parse([[1, 2], [], [3]])).toEqual([[1, 2], [], [3]]);
});

test('read asynchronously, a long list lets others run, and reads and refuses the same', async () => {
  const { table } = createTable();
  const slow = boundedList(
    z.number().refine(() => {
      const startedAt = performance.now();
      while (performance.now() - startedAt < 3);
      return true;
    }),
    { max: 100 },
  );
  const events: string[] = [];
  setTimeout(() => events.push('others'));
  const reading = slow.parseAsync(listOf(20, 1)).then((read) => events.push(`${read.length} read`));
  await reading;
  expect(events).toEqual(['others', '20 read']);
  const between = z.object({
    first: z.number(),
    list: boundedList(z.number(), { max: 3 }),
    last: z.number(),
  });
  const wrong = { first: '', list: [''], last: '' };
  const { error: found } = await between.safeParseAsync(wrong);
  expect(found?.issues.map(({ path }) => path[0])).toEqual(['first', 'list', 'last']);
  for (const input of [[[1, 2], [], [3]], listOf(999, listOf(1_000, '')), [], 'x', [[1], ['x']]]) {
    const { data, error } = await table.safeParseAsync(input);
    expect([data, error?.issues]).toEqual([
      table.safeParse(input).data,
      table.safeParse(input).error?.issues,
    ]);
  }
});
