import { expect, test } from 'vitest';
import { acquire, releaseEverything, stopSignal } from './stopping.ts';

test('what was started is stopped once each, the newest first, and nothing is started afterwards', async () => {
  const stopped: string[] = [];
  const start = (name: string) =>
    acquire(
      () => name,
      async () => {
        stopped.push(name);
        if (name === 'failing') throw new Error('it hangs');
      },
    );
  start('oldest');
  const early = start('early');
  start('failing');
  start('newest');
  await early.release();
  const reports: string[] = [];
  await releaseEverything((sentence) => reports.push(sentence));
  await early.release();
  expect(stopped).toEqual(['early', 'newest', 'failing', 'oldest']);
  expect(reports).toEqual(['Something could not be stopped: Error: it hangs']);
  expect(stopSignal.aborted).toBe(true);
  expect(() => start('late')).toThrow();
  expect(stopped).not.toContain('late');
});
