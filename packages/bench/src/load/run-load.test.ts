import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestSet } from '../requests/request-set.ts';
import { buildRequestSet } from '../requests/request-set.ts';
import type { LoadJob } from './load-job.ts';
import { runLoad } from './run-load.ts';

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
