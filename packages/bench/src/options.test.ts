import { expect, test } from 'vitest';
import { readOptions, UsageError } from './options.ts';

test('without flags everything is measured and written', () => {
  expect(readOptions([], '/repo')).toEqual({
    help: false,
    quick: false,
    only: ['startup', 'join', 'history', 'overload'],
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

test('help is asked for', () => {
  expect(readOptions(['--help'], '/').help).toBe(true);
});

test.each([
  [
    '--only=joins',
    '--only takes one of startup, join, history, overload, sessions, lag, watch, webhooks, cluster',
  ],
  ['--max-minutes=0', '--max-minutes must be a positive number'],
  ['--max-minutes=x', '--max-minutes must be a positive number'],
  ['--max-minutes=Infinity', '--max-minutes must be a positive number'],
  ['--max-minutes=1e999', '--max-minutes must be a positive number'],
  ['--fast', "Unknown option '--fast'"],
  ['--only=', '--only needs a value'],
  ['--json=', '--json needs a value'],
  ['--json= ', '--json needs a value'],
  ['--data-dir=', '--data-dir needs a value'],
  ['--max-minutes=', '--max-minutes needs a value'],
])('a mistake is refused with one sentence: %s', (argument, sentence) => {
  expect(() => readOptions([argument], '/')).toThrow(new UsageError(sentence));
});
