// Data that a service has acknowledged, looked for again after it was started anew.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProofFolder, ServiceProcess } from './service-process.ts';

const CREATED = { name: 'Runtimes', item: 'Iron Sword' };

/** Makes a sandbox with one Item in it; answers its id. */
export const leaveData = async ({ baseUrl }: ServiceProcess, token: string): Promise<string> => {
  const sandboxId = randomUUID();
  const call = async (procedure: string, input: object) => {
    const answer = await fetch(`${baseUrl}/admin/trpc/${procedure}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sandbox_id: sandboxId, ...input }),
    });
    assert.equal(answer.status, 200, `${procedure}: ${await answer.text()}`);
  };
  await call('sandboxes.create', { name: CREATED.name });
  await call('items.create', { name: CREATED.item, item_type: 'unit' });
  return sandboxId;
};

export const checkData = async (
  { baseUrl }: ServiceProcess,
  token: string,
  sandboxId: string,
): Promise<void> => {
  const answer = await fetch(`${baseUrl}/v1/history/sandbox/${sandboxId}/item/`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body = (await answer.json()) as { page_meta?: { total: number } };
  assert.equal(body.page_meta?.total, 1, `the history is ${answer.status} ${JSON.stringify(body)}`);
};

// The pages that people open in a browser: the web app with its assets, the docs, and the sign-in of the owner.

const PAGES = [
  ['/', 'text/html'],
  ['/docs', 'text/html'],
  ['/openapi.json', 'application/json'],
  ['/healthz', 'application/json'],
] as const;

export const checkPages = async ({ baseUrl }: ServiceProcess): Promise<void> => {
  for (const [path, type] of PAGES) {
    const answer = await fetch(`${baseUrl}${path}`);
    assert.equal(answer.status, 200, `GET ${path}`);
    assert.match(answer.headers.get('content-type') ?? '', new RegExp(`^${type}`), `GET ${path}`);
    const text = await answer.text();
    if (path === '/') await checkAssets(baseUrl, text);
  }
};

const checkAssets = async (baseUrl: string, page: string): Promise<void> => {
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  assert.notEqual(assets.length, 0, 'the page of the web app loads nothing');
  for (const path of assets) {
    const answer = await fetch(`${baseUrl}${path}`);
    assert.equal(answer.status, 200, `GET ${path}`);
    assert.ok((await answer.arrayBuffer()).byteLength > 0, `GET ${path} is empty`);
  }
};

type Credentials = { email: string; password: string };

/**
 * The owner that the first start has created. Without a terminal the password is in a file, except for a start with demo data on
 * loopback, which prints it.
 */
export const readCredentials = (
  { welcome }: ServiceProcess,
  place: 'file' | 'output',
): Credentials => {
  const email = /e-mail: (\S+)/.exec(welcome)?.[1];
  const [, file, printed] = /one-time password: (?:in (\/.+)|(\S+))$/m.exec(welcome) ?? [];
  const password = place === 'output' ? printed : file && readFileSync(file, 'utf8').trim();
  assert.ok(email && password, `the welcome has no password in the ${place}: ${welcome}`);
  return { email, password };
};

/** Signs in as the page does, and asks the admin API who it is. */
export const checkSignIn = async (
  { baseUrl }: ServiceProcess,
  credentials: Credentials,
): Promise<void> => {
  const wrong = await signIn(baseUrl, { ...credentials, password: 'not the password' });
  assert.ok(wrong.status >= 400 && wrong.status < 500, `a wrong password is ${wrong.status}`);
  const answer = await signIn(baseUrl, credentials);
  assert.equal(answer.status, 200, `the sign-in is ${answer.status}: ${await answer.text()}`);
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  const me = await fetch(`${baseUrl}/admin/trpc/me.get`, {
    headers: { cookie: cookies.join('; ') },
  });
  const { result } = (await me.json()) as { result?: { data: { email?: string; role?: string } } };
  assert.equal(result?.data.email, credentials.email);
  assert.equal(result.data.role, 'owner');
};

const signIn = (baseUrl: string, credentials: Credentials): Promise<Response> =>
  fetch(`${baseUrl}/admin/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify(credentials),
  });

// SIGTERM in the middle of a request: what was accepted is finished, PostgreSQL is stopped, and the process ends with 0.

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
  assert.equal(folder.findPostgres(), null, 'PostgreSQL still runs after the service has stopped');
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
