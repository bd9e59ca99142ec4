// What people open in a browser: the web app with what it loads, the docs, and the sign-in of the owner.
import assert from 'node:assert/strict';
import type { ServiceProcess } from './service-process.ts';

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

export type Credentials = { email: string; password: string };

/** Of the owner that the first start has made. */
export const readCredentials = ({ welcome }: ServiceProcess): Credentials => {
  const email = /e-mail: (\S+)/.exec(welcome)?.[1];
  const password = /one-time password: (\S+)/.exec(welcome)?.[1];
  assert.ok(email && password, `the welcome names no credentials: ${welcome}`);
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
