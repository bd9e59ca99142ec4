import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPacer } from './pacer.ts';

test('work yields for one iteration of the event loop', async () => {
  const pacer = createPacer();
  let rounds = 0;
  const counting = (async () => {
    for (; rounds < 10; rounds += 1) await setImmediate();
  })();
  await pacer.rest();
  expect(rounds).toBeLessThan(3);
  await counting;
});
