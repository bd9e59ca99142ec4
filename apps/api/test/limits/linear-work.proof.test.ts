import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { Measured } from './measure-inputs.ts';

/** A quarter for what is not in proportion, such as the length of numbers. */
const isInProportion = ({ one, two, four }: Measured): boolean =>
  one > 0 && two <= 2.5 * one && four <= 5 * one;

test('twice as much of any input is twice the work, and four times as much four times', async () => {
  const worker = new Worker(new URL('./measure-inputs.ts', import.meta.url));
  const [measured]: Measured[][] = await once(worker, 'message');
  expect(measured?.length).toBeGreaterThan(20);
  const wrong = measured?.filter((input) => !isInProportion(input)) ?? [];
  // The last one is there to show that the counter sees such work.
  expect(wrong.map(({ what }) => what)).toEqual(['a square']);
});
