import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServiceError } from '../../platform/errors.ts';
import { createWriteQueue } from './write-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Writes of a given duration, which record their start and their remaining waiting time for the lock. */
const open = () => {
  const serialize = createWriteQueue(3_000);
  const from = performance.now();
  const begun: [name: string, at: number, waitMs: number][] = [];
  const write = (
    name: string,
    tookMs: number,
    {
      sandbox = 's',
      signal,
      error,
    }: { sandbox?: string; signal?: AbortSignal; error?: Error } = {},
  ) => {
    const work = async (waitMs: number) => {
      begun.push([name, Math.round(performance.now() - from), Math.round(waitMs)]);
      await new Promise((end) => setTimeout(end, tookMs));
      if (error) throw error;
      return name;
    };
    return serialize(sandbox, work, signal).catch((reason) =>
      reason instanceof ServiceError ? reason.code : reason.name,
    );
  };
  return { write, begun };
};

test('runs the writes of one sandbox in order, independent of other sandboxes', async () => {
  const { write, begun } = open();
  const writes = [write('a', 10), write('b', 10), write('c', 10), write('d', 1, { sandbox: 't' })];
  await vi.advanceTimersByTimeAsync(30);
  expect(await Promise.all(writes)).toEqual(['a', 'b', 'c', 'd']);
  expect(begun.map(([name, at]) => [name, at])).toEqual([
    ['a', 0],
    ['d', 0],
    ['b', 10],
    ['c', 20],
  ]);
});

test('waits for any number of short writes, but only three seconds for a long one', async () => {
  const { write, begun } = open();
  const short = Array.from({ length: 5 }, (_, n) => write(`short ${n}`, 2_000));
  await vi.advanceTimersByTimeAsync(9_000);
  const long = write('long', 60_000);
  await vi.advanceTimersByTimeAsync(2_000);
  const late = write('late', 1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await Promise.all([...short, late])).toEqual([
    'short 0',
    'short 1',
    'short 2',
    'short 3',
    'short 4',
    'sandbox_busy',
  ]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await long).toBe('long');
  const after = write('after', 1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await after).toBe('after');
  expect(begun.map(([name]) => name)).not.toContain('late');
});

test('keeps counting the waiting time behind a write that another process blocks', async () => {
  const { write, begun } = open();
  const first = write('first', 3_000, { error: new ServiceError('sandbox_busy') });
  await vi.advanceTimersByTimeAsync(1_000);
  const second = write('second', 10);
  await vi.advanceTimersByTimeAsync(1_000);
  const third = write('third', 10);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await Promise.all([first, second, third])).toEqual(['sandbox_busy', 'second', 'third']);
  expect(begun).toEqual([
    ['first', 0, 3_000],
    ['second', 3_000, 1_000],
    ['third', 3_010, 3_000],
  ]);
});

test('does not start a write whose client disconnects while it waits, and delays no other', async () => {
  const { write, begun } = open();
  const leaving = new AbortController();
  const writes = [write('a', 10), write('b', 10, leaving), write('c', 10)];
  leaving.abort();
  const late = write('d', 10, leaving);
  await vi.advanceTimersByTimeAsync(20);
  expect(await Promise.all([...writes, late])).toEqual(['a', 'AbortError', 'c', 'AbortError']);
  expect(begun.map(([name]) => name)).toEqual(['a', 'c']);
});

test('starts the next write after a failed one', async () => {
  const { write } = open();
  const writes = [write('a', 10, { error: new Error('broken') }), write('b', 10)];
  await vi.advanceTimersByTimeAsync(20);
  expect(await Promise.all(writes)).toEqual(['Error', 'b']);
});
