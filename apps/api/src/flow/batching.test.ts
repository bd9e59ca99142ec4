import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatcher, MAX_BATCH } from './batching.ts';

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

test('keys requested in one iteration of the event loop share a call', async () => {
  const { calls, callMany } = createManualCalls();
  const ask = createBatcher(callMany);
  const answers = ['a', 'b', 'a'].map(ask);
  expect(calls).toEqual([]);
  await turn();
  expect(calls.map(({ keys }) => keys)).toEqual([['a', 'b']]);
  calls[0]?.answer();
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'a'].map((key) => `value of ${key}`));
});

test('keys requested while two calls are in flight share the next one', async () => {
  const { calls, callMany } = createManualCalls();
  const ask = createBatcher(callMany);
  const answers: Promise<string | undefined>[] = [];
  for (const key of ['a', 'b', 'c', 'd', 'c']) {
    answers.push(ask(key));
    await turn();
  }
  expect(calls.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
  calls[0]?.answer();
  await expect.poll(() => calls).toHaveLength(3);
  expect(calls[2]?.keys).toEqual(['c', 'd']);
  calls[1]?.answer();
  calls[2]?.answer();
  expect(await Promise.all(answers)).toEqual(
    ['a', 'b', 'c', 'd', 'c'].map((key) => `value of ${key}`),
  );
});

test('a call carries no more keys than its limit', async () => {
  const { calls, callMany } = createManualCalls();
  const ask = createBatcher(callMany);
  const keys = Array.from({ length: MAX_BATCH + 1 }, (_, index) => `key ${index}`);
  for (const key of keys) void ask(key);
  await expect.poll(() => calls).toHaveLength(2);
  expect(calls.map((call) => call.keys)).toEqual([keys.slice(0, MAX_BATCH), keys.slice(MAX_BATCH)]);
});

test('a key whose call has begun is requested again', async () => {
  const { calls, callMany } = createManualCalls();
  const ask = createBatcher(callMany);
  void ask('a');
  await turn();
  void ask('a');
  await turn();
  expect(calls.map(({ keys }) => keys)).toEqual([['a'], ['a']]);
});

test('a failed call rejects the requests that waited for it and no others', async () => {
  const { calls, callMany } = createManualCalls();
  const ask = createBatcher(callMany);
  const first = ask('a');
  await turn();
  const second = ask('b');
  await turn();
  calls[0]?.answer(new Error('gone'));
  calls[1]?.answer();
  await expect(first).rejects.toThrow('gone');
  expect(await second).toBe('value of b');
});

test('a key that the call does not answer is undefined', async () => {
  const ask = createBatcher(async () => new Map<string, string>());
  expect(await ask('missing')).toBeUndefined();
});

test('each of several nodes is asked by one call at a time, which the keys that wait for it share', async () => {
  const { calls, callMany } = createManualCalls();
  const ask = createBatcher(callMany, { nodeOf: () => 0 });
  const answers: Promise<string | undefined>[] = [];
  for (const key of ['a', 'b', 'c']) {
    answers.push(ask(key));
    await turn();
  }
  expect(calls.map(({ keys }) => keys)).toEqual([['a']]);
  calls[0]?.answer();
  await expect.poll(() => calls).toHaveLength(2);
  expect(calls[1]?.keys).toEqual(['b', 'c']);
  calls[1]?.answer();
  expect(await Promise.all(answers)).toEqual(['value of a', 'value of b', 'value of c']);
});

test('calls that hang on one node hold up no calls to another one', async () => {
  const { calls, callMany } = createManualCalls();
  const ask = createBatcher(callMany, { nodeOf: (key) => key.charCodeAt(0) });
  for (const key of ['a1', 'a2', 'a3', 'a4', 'a5']) {
    void ask(key);
    await turn();
  }
  const answer = ask('b');
  await expect.poll(() => calls.map(({ keys }) => keys)).toContainEqual(['b']);
  calls.at(-1)?.answer();
  expect(await answer).toBe('value of b');
});

test('a node that does not answer is asked for one key at a time, and all else is rejected, until it answers', async () => {
  const { calls, callMany } = createManualCalls();
  const isOutage = (error: unknown) => error instanceof Error && error.message === 'gone';
  const ask = createBatcher(callMany, { nodeOf: () => 0, isOutage });
  const first = ask('a');
  await turn();
  const behind = ask('b');
  calls[0]?.answer(new Error('gone'));
  await Promise.all([first, behind].map((asked) => expect(asked).rejects.toThrow('gone')));
  for (const [at, key] of ['c', 'e'].entries()) {
    const probe = ask(key);
    await expect(ask('f')).rejects.toThrow('gone');
    await expect.poll(() => calls).toHaveLength(at + 2);
    const isBack = key === 'e';
    calls[at + 1]?.answer(isBack ? undefined : new Error('gone'));
    if (isBack) expect(await probe).toBe('value of e');
    else await expect(probe).rejects.toThrow('gone');
  }
  const answers = [ask('g'), ask('h')];
  await expect.poll(() => calls).toHaveLength(4);
  calls[3]?.answer();
  expect(await Promise.all(answers)).toEqual(['value of g', 'value of h']);
});

test('an error that is no outage rejects only the requests of its call', async () => {
  const { calls, callMany } = createManualCalls();
  const ask = createBatcher(callMany, { nodeOf: () => 0, isOutage: () => false });
  const keys = Array.from({ length: 3 * MAX_BATCH }, (_, index) => `key ${index}`);
  const answers = keys.map(ask);
  // Whole batches wait: a second call goes with the first.
  await expect.poll(() => calls).toHaveLength(2);
  calls[0]?.answer(new Error('refused'));
  const refused = await Promise.allSettled(answers.slice(0, MAX_BATCH));
  expect(refused.every(({ status }) => status === 'rejected')).toBe(true);
  await expect.poll(() => calls).toHaveLength(3);
  for (const call of calls.slice(1)) call.answer();
  const others = keys.slice(MAX_BATCH).map((key) => `value of ${key}`);
  expect(await Promise.all(answers.slice(MAX_BATCH))).toEqual(others);
});
