import { expect, test, vi } from 'vitest';
import { createBatcher } from './create-batcher.ts';

/** Calls that the test answers by hand. */
const createManualCalls = () => {
  const calls: { keys: readonly string[]; answer: (fail?: Error) => void }[] = [];
  const callMany = (keys: readonly string[]) =>
    new Promise<Map<string, string>>((resolve, reject) => {
      const values = new Map(keys.map((key) => [key, `value of ${key}`]));
      calls.push({ keys, answer: (fail) => (fail ? reject(fail) : resolve(values)) });
    });
  return { calls, callMany };
};

test('calls at once when idle, and gathers what arrives while calls are in flight', async () => {
  const { calls, callMany } = createManualCalls();
  const ask = createBatcher(callMany);
  const answers = ['a', 'b', 'c', 'd', 'c'].map(ask);
  expect(calls.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
  calls[0]?.answer();
  await vi.waitFor(() => expect(calls).toHaveLength(3));
  expect(calls[2]?.keys).toEqual(['c', 'd']);
  calls[1]?.answer();
  calls[2]?.answer();
  expect(await Promise.all(answers)).toEqual(
    ['a', 'b', 'c', 'd', 'c'].map((key) => `value of ${key}`),
  );
});

test('asks afresh for a key whose call is under way already', () => {
  const { calls, callMany } = createManualCalls();
  const ask = createBatcher(callMany);
  void ask('a');
  void ask('a');
  expect(calls.map(({ keys }) => keys)).toEqual([['a'], ['a']]);
});

test('a failed call fails those who waited for it and nobody else', async () => {
  const { calls, callMany } = createManualCalls();
  const ask = createBatcher(callMany);
  const [first, second] = [ask('a'), ask('b')];
  calls[0]?.answer(new Error('gone'));
  calls[1]?.answer();
  await expect(first).rejects.toThrow('gone');
  expect(await second).toBe('value of b');
});

test('a key that the call does not answer is undefined', async () => {
  const ask = createBatcher(async () => new Map<string, string>());
  expect(await ask('nobody')).toBeUndefined();
});
