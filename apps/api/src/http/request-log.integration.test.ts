// The lines of requests, with a sample of the successful ones.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { Request, Response } from 'express';
import express from 'express';
import { afterEach, expect, test, vi } from 'vitest';
import { createLogger } from '../platform/index.ts';
import type { Metrics } from '../telemetry/index.ts';
import { localsOf, pauseWorkTime } from './request.ts';
import { observeRequests } from './request-log.ts';

afterEach(() => vi.restoreAllMocks());

type Line = { status: number; sample?: number };

/** Requests `/status/<number>` of an application, and returns its log lines. */
const logOf = async (successSample: number, statuses: readonly number[], durationMs = 1) => {
  const { lines } = await observe({ successSample, durationMs }, statuses);
  return lines.map(({ status, sample }) => ({ status, sample }));
};

type Observation = { successSample: number; durationMs: number };

/** Waits at the same time before a response with this status. The client of 499 disconnects during its wait. */
const WAITS = new Map([
  [202, 1],
  [207, 3],
  [499, 1],
]);

/** Every reading of the clock is `durationMs` later than the one before it. */
const observe = async ({ successSample, durationMs }: Observation, statuses: readonly number[]) => {
  const lines: Line[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const metrics = { observeRequest: vi.fn<Metrics['observeRequest']>() };
  const leaving = new AbortController();
  const app = express();
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += durationMs));
  app.use(
    observeRequests(
      createLogger('info', sink),
      metrics as unknown as Metrics,
      successSample,
      () => {},
    ),
  );
  app.get('/status/:status', async (request: Request, response: Response) => {
    localsOf(response).routePattern = '/status/:status';
    const status = Number(request.params.status);
    const waits = Array.from({ length: WAITS.get(status) ?? 0 }, () => pauseWorkTime(response));
    if (status === 499) {
      leaving.abort();
      await once(response, 'close');
      return;
    }
    for (const resume of waits) resume();
    response.status(status).end();
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const status of statuses) {
    const { signal } = status === 499 ? leaving : new AbortController();
    await fetch(`http://127.0.0.1:${port}/status/${status}`, { signal }).catch(() => {});
  }
  await expect.poll(() => metrics.observeRequest.mock.calls.length).toBe(statuses.length);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { lines, observeRequest: metrics.observeRequest };
};

/** The seconds of the request, and the milliseconds of its work. */
const toTimes = ([, seconds, more]: Parameters<Metrics['observeRequest']>) => [
  seconds,
  more?.workedMs,
];

test('counts the wait of a long poll in its duration, and not in the time of its work', async () => {
  const { observeRequest } = await observe({ successSample: 1, durationMs: 1_000 }, [200, 202]);
  const [worked, waited] = observeRequest.mock.calls.map(toTimes);
  expect([worked, waited]).toEqual([
    [1, 1_000],
    [3, 2_000],
  ]);
});

test('counts the wait of a client that disconnects, and waits at the same time once', async () => {
  const { observeRequest } = await observe({ successSample: 1, durationMs: 1_000 }, [207, 499]);
  const [batch, left] = observeRequest.mock.calls.map(toTimes);
  expect([batch, left]).toEqual([
    [3, 2_000],
    [2, 1_000],
  ]);
});

test('logs the sample of successful requests, with its ratio', async () => {
  const random = vi.spyOn(Math, 'random');
  random.mockReturnValueOnce(0.05).mockReturnValueOnce(0.95).mockReturnValueOnce(0.0999);
  expect(await logOf(0.1, [200, 201, 204])).toEqual([
    { status: 200, sample: 0.1 },
    { status: 204, sample: 0.1 },
  ]);
});

test('logs every failed and every slow request, without a sample', async () => {
  expect(await logOf(0, [200, 404, 409, 500])).toEqual([
    { status: 404, sample: undefined },
    { status: 409, sample: undefined },
    { status: 500, sample: undefined },
  ]);
  expect(await logOf(0, [200], 1_000)).toEqual([{ status: 200, sample: undefined }]);
});

test('logs every request by default, without a sample', async () => {
  expect(await logOf(1, [200, 200])).toEqual([
    { status: 200, sample: undefined },
    { status: 200, sample: undefined },
  ]);
});
