import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('runs two at once and the others in order, also after failures', async () => {
  const limit = createSemaphore(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const results = [0, 1, 2, 3, 4].map((index) =>
    limit(async () => {
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
  // All slots are free again.
  const last = limit(async () => 'last');
  expect(await last).toBe('last');
});

test('work whose signal is aborted in the queue never runs and leaves the queue', async () => {
  const limit = createSemaphore(1, 2);
  const begun: string[] = [];
  const end = Promise.withResolvers<void>();
  const run = (name: string, signal?: AbortSignal) =>
    limit(async () => {
      begun.push(name);
      await end.promise;
    }, signal);
  const leaving = new AbortController();
  const running = run('first', leaving.signal);
  const left = run('left', leaving.signal).catch(String);
  const second = run('second');
  await expect(run('beyond')).rejects.toMatchObject({ code: 'service_unavailable' });
  leaving.abort('has left');
  expect(await left).toBe('has left');
  const third = run('third');
  await expect(run('late', leaving.signal)).rejects.toBe('has left');
  end.resolve();
  await Promise.all([running, second, third]);
  expect(begun).toEqual(['first', 'second', 'third']);
});
