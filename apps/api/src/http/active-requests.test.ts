import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { StartedRequests } from './active-requests.ts';

const TIMEOUT_MS = 30_000;
/** A part of an export that waits for its reader. */
const WAITING = 40_000;

let cut: string[];
let started: StartedRequests;
let clock: number;
let socket: { bytesWritten: number; writableLength: number; destroyed: boolean };

beforeEach(() => {
  cut = [];
  clock = 0;
  socket = { bytesWritten: WAITING, writableLength: WAITING, destroyed: false };
  const destroy = () => {
    socket.destroyed = true;
  };
  const connection = Object.assign(socket, { destroy });
  const limits = { bodyTimeoutMs: TIMEOUT_MS, answerTimeoutMs: TIMEOUT_MS };
  started = new StartedRequests(limits, (slowness) => cut.push(slowness));
  started.add({
    ...{ kind: 'other', target: '/admin/export', arrivedAt: 0, startedAt: 0, bodyBytes: 0 },
    ...{ taken: 0, takenAt: 0 },
    request: { complete: true, socket: connection } as unknown as IncomingMessage,
    response: { headersSent: true, socket: connection } as unknown as ServerResponse,
  });
});

/** Looks once a second, as the service does; each time, `takes` bytes more have been taken. */
const stream = (seconds: number, takes: (second: number) => number): void => {
  for (let second = 1; second <= seconds && !socket.destroyed; second += 1) {
    // What is taken is followed by as much.
    socket.bytesWritten += takes(second);
    clock += 1_000;
    started.endSlow(clock);
  }
};

test.each([
  ['one byte a second', () => 1],
  ['a small part every 20 seconds', (second: number) => (second % 20 === 0 ? WAITING : 0)],
  ['4 KiB a second, but one', () => 4_095],
])('a stream is ended whose reader takes %s', (_, takes) => {
  stream(120, takes);
  expect(cut).toEqual(['slow_reader']);
  expect(socket.destroyed).toBe(true);
});

test.each([
  ['4 KiB a second', () => 4_096],
  ['a large part every 20 seconds', (second: number) => (second % 20 === 0 ? 524_288 : 0)],
])('a stream goes on for an hour whose reader takes %s', (_, takes) => {
  stream(3_600, takes);
  expect(cut).toEqual([]);
});

test('a reader that waits for the service is not slow', () => {
  socket.writableLength = 0;
  stream(600, () => 0);
  socket.writableLength = WAITING;
  stream(20, () => 0);
  expect(cut).toEqual([]);
  stream(20, () => 0);
  expect(cut).toEqual(['slow_reader']);
});
