// Histories that wait for something of their own, and the slots that others have meanwhile.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Admission } from './admission.ts';
import { RequestAbortedError } from './request.ts';

const AT_ONCE = 4;

beforeEach(() => {
  vi.useFakeTimers();
  // A request that has begun has a time that is not 0.
  vi.advanceTimersByTime(1_000);
});
afterEach(() => {
  vi.useRealTimers();
});

const open = () => {
  const rejected: string[] = [];
  const cuts: string[] = [];
  const admission = new Admission({
    limits: {
      ...{ maxConcurrentRequests: 20, maxWaitingJoins: 10 },
      ...{ maxUnreadAnswerBytes: 1_000, maxBodyBytes: 1_000_000 },
      ...{ bodyTimeoutMs: 60_000, answerTimeoutMs: 60_000 },
    },
    isStopping: () => false,
    onRejected: (kind, reason) => rejected.push(`${kind}: ${reason}`),
    onCut: (slowness) => cuts.push(slowness),
  });
  const begun: ServerResponse[] = [];
  admission.serve((_, response) => begun.push(response));
  const enterFor = (
    target: string,
    headers: Record<string, string> = {},
    complete = true,
  ): ServerResponse => {
    const request: IncomingMessage = new IncomingMessage(new Socket());
    const rawHeaders = Object.entries(headers).flat();
    Object.assign(request, { complete, headers, rawHeaders });
    const response = new ServerResponse(request);
    admission.enter(request, response, target);
    return response;
  };
  const enter = () => enterFor('/v1/history/');
  const counts = () => {
    const { running, waiting } = admission.counts();
    return [running.history, waiting.history];
  };
  return { admission, begun, rejected, cuts, enter, enterFor, counts };
};

test('a history that waits leaves its slot to another one, and takes the next one that is free', async () => {
  const { admission, begun, enter, counts } = open();
  const [first, second] = Array.from({ length: AT_ONCE + 1 }, enter);
  expect(counts()).toEqual([AT_ONCE, 1]);
  if (!first || !second) throw new Error('Nothing entered');
  admission.leaveSlot(first);
  expect(begun).toHaveLength(AT_ONCE + 1);
  expect(counts()).toEqual([AT_ONCE, 1]);
  let isBack = false;
  const back = admission.takeSlot(first).then(() => {
    isBack = true;
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(isBack).toBe(false);
  second.emit('prefinish');
  await back;
  expect(counts()).toEqual([AT_ONCE, 0]);
  for (const response of begun) response.emit('prefinish');
  expect(counts()).toEqual([0, 0]);
  expect(begun).toHaveLength(AT_ONCE + 1);
});

test('it waits no longer than any other, and is told so', async () => {
  const { admission, rejected, enter, counts } = open();
  const [first] = Array.from({ length: AT_ONCE + 1 }, enter);
  if (!first) throw new Error('Nothing entered');
  admission.leaveSlot(first);
  const back = expect(admission.takeSlot(first)).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  await vi.advanceTimersByTimeAsync(500);
  await back;
  expect(rejected).toEqual(['history: queue_delay']);
  expect(counts()).toEqual([AT_ONCE, 0]);
});

test('a client that leaves ends both waits', async () => {
  const { admission, enter, counts } = open();
  const [first, second] = Array.from({ length: AT_ONCE + 2 }, enter);
  if (!first || !second) throw new Error('Nothing entered');
  admission.leaveSlot(first);
  admission.leaveSlot(second);
  first.emit('close');
  await expect(admission.takeSlot(first)).rejects.toThrow('');
  const back = expect(admission.takeSlot(second)).rejects.toThrow('');
  second.emit('close');
  await back;
  // The queue passes over what has left.
  second.destroy();
  expect(counts()).toEqual([AT_ONCE, 1]);
});

test('those that wait count among the requests that are present', () => {
  const { admission, rejected, enter } = open();
  for (let index = 0; index < 9; index += 1) admission.leaveSlot(enter());
  enter();
  expect(rejected).toEqual([]);
  enter();
  expect(rejected).toEqual(['history: concurrency']);
});

test('refusals that are held back take no place, and are told about a second later, at different moments', async () => {
  vi.useRealTimers();
  const drawn = [0, 1, 0, 1];
  const draw = vi.spyOn(Math, 'random').mockImplementation(() => drawn.pop() ?? 0);
  const { admission, enter, counts } = open();
  const all: ServerResponse[] = [];
  for (let index = 0; index < AT_ONCE; index += 1) {
    all.push(enter());
    await setImmediate();
  }
  const from = performance.now();
  const told = all.map(async (response) => {
    await admission.holdBack(response);
    response.emit('prefinish');
    return Math.round(performance.now() - from);
  });
  expect(counts()).toEqual([0, 0]);
  const moments = await Promise.all(told);
  for (const [index, moment] of moments.entries()) {
    expect(moment).toBeGreaterThanOrEqual(index % 2 === 0 ? 1_245 : 745);
  }
  draw.mockRestore();
  expect(counts()).toEqual([0, 0]);
});

test('an answer that was held back is cut like any other when its client does not read it', async () => {
  const { admission, cuts, enter } = open();
  const response = enter();
  Object.defineProperty(response, 'writableLength', { value: 500 });
  const held = admission.holdBack(response, 1);
  // Nothing is left that would be looked at.
  await vi.advanceTimersByTimeAsync(5_000);
  await held;
  response.emit('prefinish');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(cuts).toContain('slow_reader');
  response.emit('close');
  expect(admission.counts().unreadAnswerBytes).toBe(0);
});

test('a client that leaves gives its slot back once what it asked for has ended', async () => {
  const { admission, enter, counts } = open();
  const [first, second] = [enter(), enter()];
  const work = Promise.withResolvers<void>();
  admission.keepWhile(first, work.promise);
  for (const response of [first, second]) {
    response.destroy();
    response.emit('close');
  }
  expect(counts()).toEqual([1, 0]);
  work.reject(new Error('The statement was cancelled.'));
  await vi.advanceTimersByTimeAsync(1);
  expect(counts()).toEqual([0, 0]);
});

test('a request whose caller is not known in time leaves its slot to one that waits, and goes on', async () => {
  const { admission, begun, enter, counts } = open();
  const all = Array.from({ length: AT_ONCE + 1 }, enter);
  const known = Promise.withResolvers<string>();
  const identified: string[] = [];
  const [first, second, ...others] = all;
  if (!first || !second) throw new Error('Nothing entered');
  for (const response of [first, second]) {
    void admission.identify(response, () => known.promise).then((who) => identified.push(who));
  }
  await vi.advanceTimersByTimeAsync(100);
  expect(begun).toHaveLength(AT_ONCE + 1);
  // One of the two has lost its slot, which is present all the same.
  known.resolve('b');
  await vi.advanceTimersByTimeAsync(1);
  expect(counts()).toEqual([AT_ONCE, 1]);
  expect(identified).toHaveLength(1);
  others[0]?.emit('prefinish');
  await vi.advanceTimersByTimeAsync(1);
  expect(counts()).toEqual([AT_ONCE, 0]);
  expect(identified).toHaveLength(2);
  for (const response of all) response.emit('prefinish');
  expect(counts()).toEqual([0, 0]);
});

test('those whose callers are not known count among the histories that are present', async () => {
  const { admission, enter, counts, rejected } = open();
  for (let count = 0; count < 10; count += 1) {
    void admission.identify(enter(), () => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(counts()).toEqual([10, 0]);
  enter();
  expect(rejected).toEqual(['history: concurrency']);
});

test('a client that leaves while what it asked for waits for a slot ends that wait, and so does one that has left', async () => {
  const { admission, enter, counts } = open();
  const [first, second] = Array.from({ length: AT_ONCE + 2 }, enter);
  if (!first || !second) throw new Error('Nothing entered');
  for (const response of [first, second]) admission.leaveSlot(response);
  const waits = admission.takeSlot(first);
  admission.keepWhile(first, waits);
  first.destroy();
  first.emit('close');
  await expect(waits).rejects.toThrow(RequestAbortedError);

  const left = Promise.withResolvers<void>();
  admission.keepWhile(second, left.promise);
  second.destroy();
  await vi.advanceTimersByTimeAsync(1);
  await expect(admission.takeSlot(second)).rejects.toThrow(RequestAbortedError);
  left.resolve();
  await vi.advanceTimersByTimeAsync(500);
  expect(counts()).toEqual([AT_ONCE, 0]);
});

test('histories never take the places of joins, however many are asked for at once', () => {
  const { enter, counts, rejected } = open();
  for (let count = 0; count < 20; count += 1) enter();
  expect(counts()).toEqual([AT_ONCE, 10 - AT_ONCE]);
  expect(new Set(rejected)).toEqual(new Set(['history: concurrency']));
});

test('what is held back keeps the bytes that were read, none that were only announced, and ends when its client leaves', async () => {
  const { admission } = open();
  const enterWith = (complete: boolean) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { complete });
    request.headers['content-length'] = '100000';
    const response = new ServerResponse(request);
    admission.enter(request, response, '/admin/trpc/me.get');
    return response;
  };
  const announced = enterWith(false);
  expect(admission.counts().bodyBytes).toBeGreaterThan(0);
  void admission.holdBack(announced);
  expect(admission.counts().bodyBytes).toBe(0);

  const read = enterWith(true);
  const told = admission.holdBack(read);
  expect(admission.counts().bodyBytes).toBeGreaterThan(0);
  read.emit('close');
  await told;
  expect(admission.counts().bodyBytes).toBe(0);
});

test.each([
  ['a long target', `/session/${'x'.repeat(9_000)}`, {}],
  ['a long token', '/session/', { authorization: 'x'.repeat(9_000) }],
  [
    'many headers',
    '/session/',
    Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x-${at}`, ''])),
  ],
])(
  'requests with %s begin one after the other, and all else at once',
  async (_what, target, headers) => {
    const { begun, enterFor } = open();
    const long = Array.from({ length: 3 }, () => enterFor(target, headers));
    const usual = enterFor('/session/', { authorization: 'x'.repeat(1_000) });
    const order = () => begun.map((response) => [usual, ...long].indexOf(response));
    expect(order()).toEqual([1, 0]);
    // Without a timer that ends the rest of the first, no further one begins.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(order()).toEqual([1, 0]);
    await vi.waitFor(() => expect(order()).toEqual([1, 0, 2, 3]));
  },
);

test('of requests that begin one after the other, as many as a quarter of the places wait', async () => {
  const { enterFor, rejected } = open();
  for (let count = 0; count < 8; count += 1) enterFor(`/session/${'x'.repeat(9_000)}`);
  expect(rejected).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_250);
  expect(rejected).toEqual(['join: concurrency', 'join: concurrency']);
});

test('a request with a long head whose client has left is not begun', async () => {
  const { begun, enterFor } = open();
  const all = [1, 2, 3].map(() => enterFor(`/session/${'x'.repeat(9_000)}`));
  all[1]?.destroy();
  await vi.waitFor(() => expect(begun.map((response) => all.indexOf(response))).toEqual([0, 2]));
});

test('a request that waits for its turn is counted as one that waits', () => {
  const { admission, enterFor } = open();
  for (let count = 0; count < 3; count += 1) enterFor(`/session/${'x'.repeat(9_000)}`);
  expect(admission.counts().waiting.join).toBe(2);
});

test('a request whose body is a little late gives its slot up, and is not ended for another one', async () => {
  const { begun, enterFor, rejected } = open();
  for (let count = 0; count < 20; count += 1) enterFor('/session/', {}, false);
  expect(begun).toHaveLength(10);
  await vi.advanceTimersByTimeAsync(60);
  expect(begun).toHaveLength(20);
  enterFor('/session/');
  expect(rejected).toEqual(['join: concurrency']);
});

test.each(['/healthz', '/docs/'])(
  'of many requests for %s that come together, those begin in a round of the event loop that take a millisecond, and the next ones four later',
  async (target) => {
    const { admission, enterFor } = open();
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    let begun = 0;
    admission.serve((_, response) => {
      begun += 1;
      now += 0.4;
      response.emit('prefinish');
    });
    for (let index = 0; index < 10; index += 1) enterFor(target);
    expect(begun).toBe(3);
    await vi.advanceTimersByTimeAsync(3);
    expect(begun).toBe(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toBe(6);
    await vi.runAllTimersAsync();
    expect(begun).toBe(10);
  },
);

test('a join whose body was late gives up no second slot when it waits for something else', async () => {
  const { admission, begun, enterFor } = open();
  for (let count = 0; count < 12; count += 1) enterFor('/session/', {}, false);
  await vi.advanceTimersByTimeAsync(60);
  expect(begun).toHaveLength(12);
  const late = begun.slice(0, 10);
  for (const response of late) admission.leaveSlot(response);
  expect(admission.counts()).toMatchObject({ running: { join: 2 }, waiting: { join: 10 } });
  const back = late.map((response) => admission.takeSlot(response));
  await Promise.all(back.slice(0, 8));
  expect(admission.counts()).toMatchObject({ running: { join: 10 }, waiting: { join: 2 } });
  for (const response of begun) response.emit('prefinish');
  await Promise.allSettled(back);
  expect(admission.counts()).toMatchObject({ running: { join: 0 }, waiting: { join: 0 } });
  for (let count = 0; count < 11; count += 1) enterFor('/session/');
  expect(begun).toHaveLength(22);
});
