import { expect, test } from 'vitest';
import { PacedRefusals } from './paced-refusals.ts';

const FLOOD = 10_000;

test('a few are told at once, a flood one after the other, and everybody within two seconds', async () => {
  const refusals = new PacedRefusals();
  const startedAt = performance.now();
  let told = 0;
  const tell = () => {
    told += 1;
  };
  refusals.send(tell, startedAt, startedAt);
  expect(told).toBe(1);
  for (let count = 1; count < FLOOD; count += 1) refusals.send(tell, startedAt, startedAt);
  expect(told).toBeLessThan(100);
  expect(refusals.waiting).toBe(FLOOD - told);
  await expect.poll(() => told, { timeout: 10_000, interval: 20 }).toBeGreaterThan(500);
  expect(performance.now() - startedAt).toBeGreaterThan(300);
  await expect.poll(() => told, { timeout: 10_000 }).toBe(FLOOD);
  // At their pace alone, they would take seven seconds.
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(refusals.waiting).toBe(0);
});
