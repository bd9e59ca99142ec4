import { expect, test } from 'vitest';
import { RejectionPacer } from './reject-request.ts';

const FLOOD = 10_000;

test('a few rejections are sent at once, those of a flood one after the other, and all within two seconds', async () => {
  const pacer = new RejectionPacer();
  const startedAt = performance.now();
  let sent = 0;
  const reject = () => {
    sent += 1;
  };
  pacer.send(reject, startedAt, startedAt);
  expect(sent).toBe(1);
  for (let count = 1; count < FLOOD; count += 1) pacer.send(reject, startedAt, startedAt);
  expect(sent).toBeLessThan(100);
  expect(pacer.waiting).toBe(FLOOD - sent);
  await expect.poll(() => sent, { timeout: 10_000, interval: 20 }).toBeGreaterThan(500);
  expect(performance.now() - startedAt).toBeGreaterThan(300);
  await expect.poll(() => sent, { timeout: 10_000 }).toBe(FLOOD);
  // At their pace alone, they would take seven seconds.
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(pacer.waiting).toBe(0);
});
