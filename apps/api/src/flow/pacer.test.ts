import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createPacer } from './pacer.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const now = performance.now.bind(performance);

const work = (ms: number) => {
  const until = now() + ms;
  while (now() < until);
};

const timeRest = async (rest: number | undefined, workMs: number): Promise<number> => {
  const pacer = createPacer(undefined, rest);
  work(workMs);
  expect(pacer.isDue()).toBe(true);
  const from = now();
  await pacer.rest();
  return now() - from;
};

test('without a rest, work yields for one iteration of the event loop', async () => {
  const pacer = createPacer();
  let rounds = 0;
  const counting = (async () => {
    for (; rounds < 10; rounds += 1) await setImmediate();
  })();
  await pacer.rest();
  expect(rounds).toBeLessThan(3);
  await counting;
});

test('with a rest of 3, the pause is three times as long as the work', async () => {
  // Timers may come a moment early.
  expect(await timeRest(3, 4)).toBeGreaterThan(11);
});

test('work that waited pauses for 30 ms at most', async () => {
  vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(1_000_000);
  const from = now();
  // Three times the wait would be most of an hour.
  await createPacer(undefined, 3).rest();
  expect(now() - from).toBeLessThan(10_000);
});
