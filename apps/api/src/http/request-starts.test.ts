import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LIMITS } from './limits.ts';
import { StartLimiter } from './load-shedding.ts';

const now = () => 0;
const AT_ONCE = LIMITS.startsPerIteration.value;

test('starts a few requests in each iteration of the event loop, in the order of their arrival', async () => {
  const starts = new StartLimiter(now);
  const started: number[] = [];
  const total = 2 * AT_ONCE + 1;
  for (let index = 0; index < total; index += 1) starts.run(() => started.push(index));
  const perIteration = [started.length];
  while (started.length < total) {
    await setImmediate();
    perIteration.push(started.length);
  }
  expect([...new Set(perIteration)]).toEqual([AT_ONCE, 2 * AT_ONCE, total]);
  expect(started).toEqual(started.toSorted((a, b) => a - b));
});

test('a request that arrives behind waiting ones does not overtake them', async () => {
  const starts = new StartLimiter(now);
  const started: string[] = [];
  for (let index = 0; index <= AT_ONCE; index += 1) starts.run(() => started.push('early'));
  starts.run(() => started.push('late'));
  while (started.length < AT_ONCE + 2) await setImmediate();
  expect(started.at(-1)).toBe('late');
});

test('reports to each request how long it waited', async () => {
  let clock = 5_000;
  const starts = new StartLimiter(() => clock);
  const waits: number[] = [];
  for (let index = 0; index <= AT_ONCE; index += 1) starts.run((waitedMs) => waits.push(waitedMs));
  clock += 30;
  while (waits.length <= AT_ONCE) await setImmediate();
  expect(waits).toEqual([...new Array(AT_ONCE).fill(0), 30]);
});
