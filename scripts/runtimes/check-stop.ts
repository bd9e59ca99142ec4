// SIGTERM in the middle of a request: what was accepted is finished, PostgreSQL is stopped, and the process ends with 0.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProofFolder } from './data-folder.ts';
import type { ServiceProcess } from './service-process.ts';

export const MOST_STOP_MS = 10_000;

/** Answers how long the stop took, in ms. */
export const checkStop = async (
  service: ServiceProcess,
  folder: ProofFolder,
  token: string,
): Promise<number> => {
  const accepted = await acceptRequest(service.baseUrl, token);
  const startedAt = performance.now();
  service.signal('SIGTERM');
  await waitUntilRefused(service.baseUrl);
  assert.match(await accepted.finish(), /^HTTP\/1\.1 422 /);
  const deadline = wait(MOST_STOP_MS, 'no end' as const, { ref: false });
  const end = await Promise.race([service.ended, deadline]);
  assert.equal(end, 0, `SIGTERM: ${end}; ${service.errors()}`);
  assert.equal(folder.findPostgres(), null, 'PostgreSQL goes on after the service');
  return performance.now() - startedAt;
};

/** A join whose body is announced and not sent: the service has said that it waits for it (RFC 9110 section 10.1.1). */
const acceptRequest = async (baseUrl: string, token: string) => {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const closed = new Promise<void>((resolve, reject) => {
    socket.once('close', () => resolve()).once('error', reject);
  });
  const path = '/session/v1/platform/Steam/platform-session/YQ/player/self';
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'Host: a',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Content-Length: 2',
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  );
  const deadline = AbortSignal.timeout(MOST_STOP_MS);
  while (!received.includes('100 Continue')) {
    assert.ok(!deadline.aborted, `no 100 Continue but: ${received}`);
    await wait(10);
  }
  return {
    /** Sends the rest, and answers what came back when the service has closed the connection. */
    finish: async () => {
      received = '';
      socket.write('{}');
      await closed;
      return received;
    },
  };
};

const waitUntilRefused = async (baseUrl: string): Promise<void> => {
  const deadline = AbortSignal.timeout(MOST_STOP_MS);
  const ask = () => fetch(`${baseUrl}/healthz`, { headers: { connection: 'close' } });
  for (;;) {
    const isRefused = await ask().then(
      () => false,
      () => true,
    );
    if (isRefused) return;
    assert.ok(!deadline.aborted, 'it still accepts requests after SIGTERM');
    await wait(10);
  }
};
