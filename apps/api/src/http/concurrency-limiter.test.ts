import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { RequestAbortedError } from './request.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const LIMITS = { slots: 1, maxWaiting: 100, maxWaitMs: 400, standingWaitMs: 200 };

/** How long a check of the waiting requests may be away. */
const TICK_MS = 20;

const createLimiter = (limits: Partial<typeof LIMITS> = {}) =>
  new ConcurrencyLimiter({
    ...LIMITS,
    ...limits,
    now: () => performance.now(),
    reject: (reason) => new Error(reason),
  });

class Client extends EventEmitter {
  destroyed = false;

  leave(): void {
    this.destroyed = true;
    this.emit('close');
  }

  get response(): ServerResponse {
    return this as unknown as ServerResponse;
  }
}

/** Requests of one limiter, by name: those that have started, and how each has ended. */
const observe = (limiter: ConcurrencyLimiter) => {
  const started: string[] = [];
  const ended: Record<string, string> = {};
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const send = (name: string, client = new Client()): Client => {
    const work = async () => {
      started.push(name);
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      await end.promise;
      return 'done';
    };
    limiter.run(client.response, work).then(
      (result) => {
        ended[name] = result;
      },
      (error: Error) => {
        ended[name] = error instanceof RequestAbortedError ? 'aborted' : error.message;
      },
    );
    return client;
  };
  const settle = async (name: string, error?: Error) => {
    if (error) ends.get(name)?.reject(error);
    else ends.get(name)?.resolve();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { started, ended, send, settle };
};

test('runs as many requests as there are slots, and the others in the order of their arrival', async () => {
  const limiter = createLimiter({ slots: 2 });
  const { started, ended, send, settle } = observe(limiter);
  for (const name of ['a', 'b', 'c', 'd', 'e']) send(name);
  await vi.advanceTimersByTimeAsync(0);
  expect(started).toEqual(['a', 'b']);
  expect([limiter.running, limiter.waiting]).toEqual([2, 3]);
  await settle('b');
  expect(started).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd', 'e']) await settle(name);
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(ended).toEqual({ a: 'done', b: 'done', c: 'done', d: 'done', e: 'done' });
  expect([limiter.running, limiter.waiting]).toEqual([0, 0]);
});

test('a request that waits after the limiter was idle is served', async () => {
  const { started, send, settle } = observe(createLimiter());
  for (const [first, second] of [
    ['a', 'b'],
    ['c', 'd'],
  ] as const) {
    send(first);
    send(second);
    await settle(first);
    await settle(second);
  }
  expect(started).toEqual(['a', 'b', 'c', 'd']);
});

test('a request that arrives while others wait does not overtake them', async () => {
  const limiter = createLimiter();
  const { started, send, settle } = observe(limiter);
  send('a');
  send('b');
  const settled = settle('a');
  send('c');
  await settled;
  expect(started).toEqual(['a', 'b']);
  await settle('b');
  expect(started).toEqual(['a', 'b', 'c']);
});

test('work that throws frees its slot', async () => {
  const limiter = createLimiter();
  const { started, ended, send, settle } = observe(limiter);
  send('a');
  send('b');
  await settle('a', new Error('failed'));
  expect(ended).toEqual({ a: 'failed' });
  expect(started).toEqual(['a', 'b']);
  const failure = limiter.run(new Client().response, () => {
    throw new Error('failed at once');
  });
  const rejected = expect(failure).rejects.toThrow('failed at once');
  await settle('b');
  await rejected;
  expect([limiter.running, limiter.waiting]).toEqual([0, 0]);
});

test('rejects a request at once when the queue is full', async () => {
  const limiter = createLimiter({ maxWaiting: 2 });
  const { started, ended, send, settle } = observe(limiter);
  for (const name of ['a', 'b', 'c', 'd']) send(name);
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual({ d: 'queue_full' });
  await settle('a');
  send('e');
  await settle('b');
  await settle('c');
  expect(started).toEqual(['a', 'b', 'c', 'e']);
});

test('rejects a request that has waited for its longest time, and none earlier', async () => {
  const limiter = createLimiter();
  const { started, ended, send, settle } = observe(limiter);
  send('a');
  send('b');
  await vi.advanceTimersByTimeAsync(300);
  send('c');
  await vi.advanceTimersByTimeAsync(100);
  expect(ended).toEqual({});
  await vi.advanceTimersByTimeAsync(2 * TICK_MS);
  expect(ended).toEqual({ b: 'queue_delay' });
  await settle('a');
  expect(started).toEqual(['a', 'c']);
});

/** Fills the queue for longer than a second: a request every 50 ms, while one holds the only slot. */
const flood = async () => {
  const limiter = createLimiter();
  const requests = observe(limiter);
  requests.send('running');
  for (let at = 0; at <= 1_200; at += 50) {
    requests.send(`at ${at}`);
    await vi.advanceTimersByTimeAsync(50);
  }
  return { limiter, ...requests };
};

test('while the queue has not been empty for a second, requests wait for a shorter time', async () => {
  const { limiter, ended, send } = await flood();
  expect(limiter.isStanding()).toBe(true);
  send('late');
  await vi.advanceTimersByTimeAsync(200);
  expect(ended).not.toHaveProperty('late');
  await vi.advanceTimersByTimeAsync(2 * TICK_MS);
  expect(ended).toMatchObject({ late: 'queue_delay' });
  expect(limiter.waiting).toBe(0);
  expect(limiter.isStanding()).toBe(false);
});

test('in a flood the newest request is served first', async () => {
  const { started, settle } = await flood();
  await settle('running');
  await settle('at 1200');
  expect(started).toEqual(['running', 'at 1200', 'at 1150']);
});

test('after a flood the order is that of arrival again', async () => {
  const { limiter, started, send, settle } = await flood();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(limiter.waiting).toBe(0);
  for (const name of ['a', 'b', 'c']) send(name);
  for (const name of ['running', 'a', 'b', 'c']) await settle(name);
  expect(started).toEqual(['running', 'a', 'b', 'c']);
});

test('a request whose client disconnects while it waits never runs, and makes room for another', async () => {
  const limiter = createLimiter({ maxWaiting: 1 });
  const { started, ended, send, settle } = observe(limiter);
  send('a');
  const client = send('b');
  await vi.advanceTimersByTimeAsync(0);
  client.leave();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual({ b: 'aborted' });
  expect(limiter.waiting).toBe(0);
  send('c');
  await settle('a');
  expect(started).toEqual(['a', 'c']);
});

test('a request whose client has disconnected before does not wait', async () => {
  const limiter = createLimiter();
  const { ended, send } = observe(limiter);
  send('a');
  const gone = new Client();
  gone.leave();
  send('b', gone);
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual({ b: 'aborted' });
  expect(limiter.waiting).toBe(0);
});

test('a request whose client disconnects while it runs holds its slot until its work has settled', async () => {
  const limiter = createLimiter();
  const { started, ended, send, settle } = observe(limiter);
  const client = send('a');
  send('b');
  client.leave();
  await vi.advanceTimersByTimeAsync(100);
  expect(started).toEqual(['a']);
  await settle('a');
  expect(started).toEqual(['a', 'b']);
  expect(ended).toEqual({ a: 'done' });
});

test('a client that waits and is served keeps no listener', async () => {
  const { send, settle } = observe(createLimiter());
  send('a');
  const client = send('b');
  await settle('a');
  await settle('b');
  expect(client.listenerCount('close')).toBe(0);
});
