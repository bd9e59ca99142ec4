import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ITEMS, JOIN } from '../../test/public-client.ts';
import { LIMITS } from './limits.ts';
import type { RequestKind } from './load-shedding.ts';
import { kindOfRequest, LoadShedder } from './load-shedding.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test.each<[string, RequestKind]>([
  [JOIN, 'join'],
  [ITEMS, 'history'],
  ['/session/v1/session/duel/d-1', 'companion'],
  ['/session/v1/player/p/session', 'companion'],
  ['/healthz', 'probe'],
  ['/readyz', 'probe'],
  ['/metrics', 'probe'],
  ['/', 'other'],
  ['/admin/trpc/me.get', 'other'],
  ['/sessions', 'other'],
  ['/healthzz', 'other'],
])('%s is a %s', (target, kind) => {
  expect(kindOfRequest(target)).toBe(kind);
});

const createShedder = (maxPublicRequests: number) => {
  const state = { isStopping: false };
  const rejected: string[] = [];
  const shedder = new LoadShedder({
    maxPublicRequests,
    isStopping: () => state.isStopping,
    now: () => performance.now(),
    onRejected: (kind, reason) => rejected.push(`${kind} ${reason}`),
  });
  const open: ServerResponse[] = [];
  /** Returns the response of a rejected request, or null for one that is admitted. */
  const send = (target: string): ServerResponse | null => {
    const request = new IncomingMessage(new Socket());
    const response = new ServerResponse(request);
    if (!shedder.admit(kindOfRequest(target), request, response)) return response;
    open.push(response);
    return null;
  };
  const sendMany = (count: number, target: string): number =>
    Array.from({ length: count }, () => send(target)).filter((response) => response).length;
  /** Rejects requests for longer than a burst lasts. */
  const overload = () => {
    shedder.noteRejection();
    vi.advanceTimersByTime(300);
    shedder.noteRejection();
  };
  return { shedder, state, rejected, open, send, sendMany, overload };
};

describe('requests in the process', () => {
  test('companion requests count with them, and are rejected with 503', () => {
    const { rejected, send, sendMany } = createShedder(10);
    sendMany(5, JOIN);
    sendMany(5, '/session/v1/session/duel/d-1');
    expect([send(JOIN)?.statusCode, send('/session/v1/player/p/session')?.statusCode]).toEqual([
      409, 503,
    ]);
    expect(rejected).toEqual(['join concurrency', 'companion concurrency']);
  });

  test('joins and histories have one limit, and each response makes room for another request', () => {
    const { shedder, rejected, open, send, sendMany } = createShedder(10);
    expect([sendMany(6, JOIN), sendMany(4, ITEMS)]).toEqual([0, 0]);
    expect([send(JOIN)?.statusCode, send(ITEMS)?.statusCode]).toEqual([409, 503]);
    expect(rejected).toEqual(['join concurrency', 'history concurrency']);
    expect(shedder.counts).toMatchObject({ join: 6, history: 4 });
    open[0]?.emit('close');
    expect(send(ITEMS)).toBe(null);
    expect(shedder.counts).toMatchObject({ join: 5, history: 5 });
  });

  test('a written response counts no longer, whether its client reads it or not', () => {
    const { shedder, open, sendMany } = createShedder(10);
    sendMany(2, JOIN);
    open[0]?.emit('prefinish');
    expect(shedder.counts.join).toBe(1);
    open[0]?.emit('close');
    open[1]?.emit('close');
    expect(shedder.counts.join).toBe(0);
  });

  test('a request that waits for its client does not count, and ends once', () => {
    const { shedder, open, sendMany } = createShedder(10);
    sendMany(3, '/admin/trpc/me.get');
    const [first, second, third] = open as [ServerResponse, ServerResponse, ServerResponse];
    const resume = shedder.pause('other', first);
    expect(shedder.counts.other).toBe(2);
    resume();
    first.emit('close');
    expect(shedder.counts.other).toBe(2);
    const resumeLate = shedder.pause('other', second);
    second.destroy();
    second.emit('close');
    resumeLate();
    third.destroy();
    third.emit('close');
    shedder.pause('other', third)();
    expect(shedder.counts.other).toBe(0);
  });

  test('people who administer have a limit of their own', () => {
    const { send, sendMany } = createShedder(10);
    sendMany(20, JOIN);
    expect(sendMany(LIMITS.otherRequests.value, '/admin/trpc/me.get')).toBe(0);
    expect(send('/admin/trpc/me.get')?.statusCode).toBe(503);
  });

  test('probes have none', () => {
    const { send, sendMany, overload } = createShedder(10);
    overload();
    sendMany(500, JOIN);
    expect(sendMany(500, '/healthz')).toBe(0);
    expect(send('/readyz')).toBe(null);
  });
});

describe('overload', () => {
  const MOST = LIMITS.overloadedJoins.value;

  test('sheds joins earlier, and neither histories nor other requests', () => {
    const { rejected, send, sendMany, overload } = createShedder(2_000);
    expect(sendMany(MOST, JOIN)).toBe(0);
    overload();
    expect(send(JOIN)).not.toBe(null);
    expect(rejected).toEqual(['join overload']);
    expect([send(ITEMS), send('/admin/trpc/me.get')]).toEqual([null, null]);
  });

  test('is over when no request has been rejected for two seconds', () => {
    const { send, sendMany, shedder, overload } = createShedder(2_000);
    sendMany(MOST, JOIN);
    overload();
    expect(shedder.isOverloaded()).toBe(true);
    vi.advanceTimersByTime(2_000);
    expect(shedder.isOverloaded()).toBe(false);
    expect(send(JOIN)).toBe(null);
  });

  test('is no burst of rejections', () => {
    const { shedder } = createShedder(2_000);
    for (let count = 0; count < 1_000; count += 1) shedder.noteRejection();
    vi.advanceTimersByTime(200);
    shedder.noteRejection();
    expect(shedder.isOverloaded()).toBe(false);
  });

  test('delays rejections by a second, and sends none to a client that has left', () => {
    const { send, sendMany, overload } = createShedder(2_000);
    sendMany(MOST, JOIN);
    overload();
    const [waiting, leaving] = [send(JOIN), send(JOIN)];
    vi.advanceTimersByTime(999);
    expect(waiting?.headersSent).toBe(false);
    leaving?.destroy();
    vi.advanceTimersByTime(1);
    expect([waiting?.headersSent, waiting?.statusCode]).toEqual([true, 409]);
    expect(leaving?.headersSent).toBe(false);
  });
});

test('a stopping service asks the clients that it rejects to connect elsewhere', () => {
  const { send, sendMany, state } = createShedder(10);
  sendMany(10, JOIN);
  const writeHead = vi.spyOn(ServerResponse.prototype, 'writeHead');
  const isLast = () => {
    send(JOIN);
    return String(writeHead.mock.lastCall).includes('Connection,close');
  };
  expect(isLast()).toBe(false);
  state.isStopping = true;
  expect(isLast()).toBe(true);
});
