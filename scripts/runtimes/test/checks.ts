// What each runtime must prove: stored data, the pages, the sign-in, and an orderly stop.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProofFolder, ServiceProcess } from '../service-process.ts';
import { callAdmin } from '../service-process.ts';

/** Makes a sandbox with one Item; returns its id. */
export const leaveData = async ({ baseUrl }: ServiceProcess, token: string): Promise<string> => {
  const sandbox_id = randomUUID();
  await callAdmin(baseUrl, token, 'sandboxes.create', { sandbox_id, name: 'Runtimes' });
  const item = { sandbox_id, name: 'Iron Sword', item_type: 'unit' };
  await callAdmin(baseUrl, token, 'items.create', item);
  return sandbox_id;
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

/** The web app with its assets, the docs, and the probe. */
export const checkPages = async ({ baseUrl }: ServiceProcess): Promise<void> => {
  const load = async (path: string): Promise<string> => {
    const answer = await fetch(`${baseUrl}${path}`);
    const text = await answer.text();
    assert.ok(answer.ok && text !== '', `GET ${path} is ${answer.status} ${text}`);
    return text;
  };
  const page = await load('/');
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)];
  assert.notEqual(assets.length, 0, 'the page of the web app loads nothing');
  for (const [, path = ''] of assets) await load(path);
  assert.match(await load('/docs'), /<html/);
  for (const path of ['/openapi.json', '/healthz']) JSON.parse(await load(path));
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

/** Signs in as the page does, and asks the admin API for the account. */
export const checkSignIn = async (
  { baseUrl }: ServiceProcess,
  credentials: Credentials,
): Promise<void> => {
  const signIn = (body: Credentials): Promise<Response> =>
    fetch(`${baseUrl}/admin/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: baseUrl },
      body: JSON.stringify(body),
    });
  const wrong = await signIn({ ...credentials, password: 'not the password' });
  assert.ok(wrong.status >= 400 && wrong.status < 500, `a wrong password is ${wrong.status}`);
  const answer = await signIn(credentials);
  assert.equal(answer.status, 200, `the sign-in is ${answer.status}: ${await answer.text()}`);
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  const me = await fetch(`${baseUrl}/admin/trpc/me.get`, {
    headers: { cookie: cookies.join('; ') },
  });
  const { result } = (await me.json()) as { result?: { data: { email?: string; role?: string } } };
  assert.deepEqual([result?.data.email, result?.data.role], [credentials.email, 'owner']);
};

export const MOST_STOP_MS = 10_000;

/** SIGTERM while a join waits for its body: the join is answered, and PostgreSQL and the process end. */
export const checkStop = async (
  service: ServiceProcess,
  folder: ProofFolder,
  token: string,
): Promise<void> => {
  const signal = AbortSignal.timeout(3 * MOST_STOP_MS);
  const path = '/session/v1/platform/Steam/platform-session/YQ/player/self';
  const join = request(`${service.baseUrl}${path}`, {
    method: 'POST',
    signal,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': 2,
      // The service confirms that it waits for the body (RFC 9110 section 10.1.1).
      expect: '100-continue',
    },
  });
  join.flushHeaders();
  await once(join, 'continue');
  service.signal('SIGTERM');
  await waitUntilRefused(service.baseUrl, signal);
  join.end('{}');
  const [response] = await once(join, 'response');
  assert.equal(response.resume().statusCode, 422);
  const deadline = wait(MOST_STOP_MS, 'no end' as const, { ref: false });
  const end = await Promise.race([service.ended, deadline]);
  assert.equal(end, 0, `SIGTERM: ${end}; ${service.errors()}`);
  assert.equal(folder.findPostgres(), null, 'PostgreSQL still runs after the service has stopped');
};

const waitUntilRefused = async (baseUrl: string, signal: AbortSignal): Promise<void> => {
  for (let isServed = true; isServed; ) {
    signal.throwIfAborted();
    const probe = fetch(`${baseUrl}/healthz`, { headers: { connection: 'close' } });
    isServed = await probe.then(
      () => true,
      () => false,
    );
    await wait(10);
  }
};
