import { expect, it } from 'vitest';
import { createReadiness } from './lifecycle.ts';

it('is ready only between the end of the start and the begin of the stop', async () => {
  const readiness = createReadiness({ pingDatabase: async () => {} });
  expect(await readiness.isReady()).toBe(false);
  readiness.markReady();
  expect(await readiness.isReady()).toBe(true);
  readiness.markStopping();
  expect(await readiness.isReady()).toBe(false);
  readiness.markReady();
  expect(await readiness.isReady()).toBe(false);
});

it('is not ready when the database fails or takes too long', async () => {
  const failing = createReadiness({ pingDatabase: () => Promise.reject(new Error('gone')) });
  const hanging = createReadiness({ pingDatabase: () => new Promise(() => {}), timeoutMs: 20 });
  for (const readiness of [failing, hanging]) {
    readiness.markReady();
    expect(await readiness.isReady()).toBe(false);
  }
});

it('asks the database once for all who ask at the same time', async () => {
  let questions = 0;
  const readiness = createReadiness({
    pingDatabase: async () => {
      questions += 1;
    },
  });
  readiness.markReady();
  await Promise.all(Array.from({ length: 50 }, () => readiness.isReady()));
  expect(questions).toBe(1);
  expect(await readiness.isReady()).toBe(true);
  expect(questions).toBe(2);
});
