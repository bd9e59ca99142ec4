import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger } from './logging.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-logging-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The one line that logging this error writes. */
const log = (err: unknown) => {
  const file = join(folder, 'log');
  createLogger('info', openSync(file, 'w')).info({ err }, 'failed');
  return JSON.parse(readFileSync(file, 'utf8'));
};

it('an error is logged by type, message, code, stack and cause', () => {
  const cause = Object.assign(new TypeError('too late'), { code: '57014' });
  const { err } = log(new Error('no answer', { cause }));
  expect(err).toMatchObject({
    type: 'Error',
    message: 'no answer',
    cause: { type: 'TypeError', message: 'too late', code: '57014' },
  });
  expect(err.stack).toMatch(/^Error: no answer\n +at .*logging\.test/);
  expect(err.cause.stack).toMatch(/^TypeError: too late\n +at .*logging\.test/);
});

it('no other property of an error is logged: libraries keep there what they were given', () => {
  const value = 'https://user:word@host/path?query';
  const given = { input: value, base: value, detail: value, where: value, meta: { value } };
  const error = new AggregateError([Object.assign(new Error('one'), given)], 'all');
  const line = log(Object.assign(error, given, { cause: Object.assign(new Error('why'), given) }));
  expect(JSON.stringify(line)).not.toContain('word');
  expect(line.err.errors).toMatchObject([{ message: 'one' }]);
});

it('what is no error is logged as it is', () => {
  expect(log('a sentence').err).toBe('a sentence');
});
