import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('so many run at once, the others in their order, whatever becomes of those before them', async () => {
  const inTurn = createSemaphore(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const results = [0, 1, 2, 3, 4].map((index) =>
    inTurn(async () => {
      begun.push(index);
      await new Promise<void>((end) => ends.push(end));
      if (index === 1) throw new Error('failed');
      return index;
    }).catch((error: Error) => error.message),
  );
  const settle = async (index: number) => {
    ends[index]?.();
    await results[index];
  };
  expect(begun).toEqual([0, 1]);
  await settle(1);
  expect(begun).toEqual([0, 1, 2]);
  for (const index of [0, 2, 3, 4]) await settle(index);
  expect(await Promise.all(results)).toEqual([0, 'failed', 2, 3, 4]);
  // All places are free again.
  const last = inTurn(async () => 'last');
  expect(await last).toBe('last');
});
