import { expect, test } from 'vitest';
import { readOptions, UsageError } from './options.ts';

test('without flags everything is measured and written', () => {
  expect(readOptions([], '/repo')).toEqual({
    quick: false,
    only: ['startup', 'join', 'history'],
    jsonFile: '/repo/packages/bench/results/latest.json',
    writeMarkdown: true,
    maxMinutes: 30,
  });
});

test('the published table is not replaced by a part or by a quick run', () => {
  expect(readOptions(['--quick'], '/').writeMarkdown).toBe(false);
  expect(readOptions(['--only', 'join'], '/')).toMatchObject({
    writeMarkdown: false,
    only: ['join'],
  });
});

test.each([['--only', 'joins'], ['--max-minutes', '0'], ['--fast'], ['--max-minutes', 'x']])(
  'a mistake is refused: %s %s',
  (...args) => {
    expect(() => readOptions(args, '/')).toThrow(UsageError);
  },
);
