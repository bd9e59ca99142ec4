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

const timeRest = async (rest: number | undefined, turnMs: number): Promise<number> => {
  const pacer = createPacer(undefined, rest);
  work(turnMs);
  expect(pacer.isDue()).toBe(true);
  const from = now();
  await pacer.rest();
  return now() - from;
};

test('without a rest, a turn leaves everything else one round of the event loop', async () => {
  const pacer = createPacer();
  let rounds = 0;
  const counting = (async () => {
    for (; rounds < 10; rounds += 1) await setImmediate();
  })();
  await pacer.rest();
  expect(rounds).toBeLessThan(3);
  await counting;
});

test('with one, everything else has so many times as long as the turn took', async () => {
  // Timers may come a moment early.
  expect(await timeRest(3, 4)).toBeGreaterThan(11);
});

test('what waited for something else in its turn does not rest for that', async () => {
  expect(await timeRest(3, 100)).toBeLessThan(200);
});
