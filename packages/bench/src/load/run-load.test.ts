import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestSet } from '../requests/join-requests.ts';
import { buildRequestSet } from '../requests/join-requests.ts';
import { AnswerReader, UnreadableAnswerError } from './connection.ts';
import type { LoadJob } from './load-job.ts';
import { countDue, dueAfterMs, runLoad } from './run-load.ts';

let onRequest = (): void => {};
const server = createServer((_request, response) => {
  onRequest();
  response.end('hello');
});

let job: LoadJob;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  job = { port, connections: 40, firstRequest: 0, maxRequests: 40, maxSeconds: 30 };
});

afterAll(() => server.close());

const requests: RequestSet = buildRequestSet(1, () => 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');

const block = (milliseconds: number): void => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

test('every request is answered and counted', async () => {
  const { answerBytes, ...result } = await runLoad(requests, job);
  expect(result).toMatchObject({ requests: 40, statuses: { '200': 40 } });
  expect(answerBytes).toBeGreaterThan('hello'.length);
});

test('what fell due in time is sent, however late', async () => {
  onRequest = () => block(20);
  const late = { ...job, connections: 1, maxRequests: 1_000, maxSeconds: 0.2, ratePerSecond: 200 };
  const { requests: sent } = await runLoad(requests, late);
  expect(sent).toBeGreaterThanOrEqual(40);
  expect(sent).toBeLessThan(60);
});

test('a request is clocked from when it was due, also where the generator noticed it late', async () => {
  onRequest = () => {
    onRequest = () => {};
    block(300);
  };
  // Nothing of this process runs while most of the 40 fall due.
  const { requests: sent, p50Us } = await runLoad(requests, { ...job, ratePerSecond: 125 });
  expect(sent).toBe(40);
  expect(p50Us).toBeGreaterThan(50_000);
});

test('a run that is finished early has counted its responses', async () => {
  const finish = new AbortController();
  onRequest = () => finish.abort();
  const endless = { ...job, maxRequests: 1_000_000, ratePerSecond: 200 };
  const { requests: sent, statuses } = await runLoad(requests, endless, finish.signal);
  onRequest = () => {};
  expect(statuses).toEqual({ '200': sent });
  expect(sent).toBeLessThan(endless.ratePerSecond * endless.maxSeconds);
  // A run that is finished before its connections are open.
  expect((await runLoad(requests, endless, AbortSignal.abort())).requests).toBeGreaterThan(0);
});

test('the first request is due at once, and the others at even spacing', () => {
  expect([0, 1, 2, 10].map((index) => dueAfterMs(index, 200))).toEqual([0, 5, 10, 50]);
});

test('a request counts from the moment on which it is due', () => {
  for (const elapsedMs of [0, 0.3, 1.7, 999.9, 12_345.6]) {
    const due = countDue(elapsedMs, 523);
    expect(dueAfterMs(due - 1, 523)).toBeLessThanOrEqual(elapsedMs);
    expect(dueAfterMs(due, 523)).toBeGreaterThan(elapsedMs);
  }
});

const answer = (status: string, headers: string[], body: string) =>
  Buffer.from([`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n'));

const whole = ({ length }: Buffer) => ({ status: 200, hasRetryAfter: false, bytes: length });

test('an answer is whole only with the last byte of its body, however it is cut', () => {
  const bytes = answer('200 OK', ['Date: today', 'Content-Length: 11'], 'hello world');
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const reader = new AnswerReader();
    expect(reader.read(bytes.subarray(0, cut))).toBeNull();
    expect(reader.read(bytes.subarray(cut))).toEqual(whole(bytes));
  }
});

test('a body that looks like a header is not taken for one', () => {
  const body = '\r\nContent-Length: 99999\r\n';
  const bytes = answer('200 OK', [`content-length: ${body.length}`], body);
  expect(new AnswerReader().read(bytes)).toEqual(whole(bytes));
});

test('a chunked answer ends with its last chunk', () => {
  const reader = new AnswerReader();
  const bytes = answer('200 OK', ['Transfer-Encoding: chunked'], '5\r\nhello\r\n0\r\n\r\n');
  expect(reader.read(bytes.subarray(0, -3))).toBeNull();
  expect(reader.read(bytes.subarray(-3))?.status).toBe(200);
});

test('counts rejections with and without Retry-After', () => {
  const read = (headers: string[]) => new AnswerReader().read(answer('409 Conflict', headers, ''));
  expect(read(['Content-Length: 0', 'Retry-After: 1'])?.hasRetryAfter).toBe(true);
  expect(read(['Content-Length: 0'])?.hasRetryAfter).toBe(false);
});

test('the next answer on the connection starts afresh', () => {
  const reader = new AnswerReader();
  reader.read(answer('200 OK', ['Content-Length: 2'], 'ok'));
  expect(reader.read(answer('404 Not Found', ['Content-Length: 0'], ''))?.status).toBe(404);
});

test('an answer without a length is refused instead of waited for', () => {
  const bytes = answer('200 OK', ['Connection: close'], 'all of it');
  expect(() => new AnswerReader().read(bytes)).toThrow(UnreadableAnswerError);
});
