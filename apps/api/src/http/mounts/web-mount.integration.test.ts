// The web app's files over real HTTP, from a folder as Vite leaves it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '../../platform/errors.ts';
import { mountWeb } from './web-mount.ts';

const folder = mkdtempSync(join(tmpdir(), 'web-mount-'));
const HTML =
  '<meta property="csp-nonce" nonce="muster-nonce"><script nonce="muster-nonce"></script>';

const app = express();
mountWeb(app, folder);
app.use(((error, _request, response, _next) => {
  response.status(404).json({ error_code: error instanceof ServiceError ? error.code : 'other' });
}) as express.ErrorRequestHandler);
app.use((_request, response) => void response.status(404).json({ error_code: 'unhandled' }));
const server = createServer(app);
let baseUrl: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

const get = (path: string, init?: RequestInit) => fetch(`${baseUrl}${path}`, init);

test('without a build every page is one sentence, and later builds are found', async () => {
  const missing = await get('/login');
  expect([missing.status, missing.headers.get('content-type')]).toEqual([
    503,
    'text/plain; charset=utf-8',
  ]);
  expect(await missing.text()).toMatch(/^The web app has not been built yet: run ".+" .+\.\n$/);
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), HTML);
  writeFileSync(join(folder, 'assets/index-Abc.js'), `/* ${'x'.repeat(5_000)} */`);
  expect((await get('/login')).status).toBe(200);
});

test('each answer has a nonce of its own, in the page and in the policy', async () => {
  const nonces = await Promise.all(
    ['/', '/s/1/items?name=a%zz'].map(async (path) => {
      const response = await get(path);
      const policy = response.headers.get('content-security-policy') ?? '';
      const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      expect(nonce).toMatch(/^[A-Za-z0-9+/]{24}$/);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(await response.text()).toBe(HTML.replaceAll('muster-nonce', nonce));
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('referrer-policy')).toBe('same-origin');
      return nonce;
    }),
  );
  expect(new Set(nonces).size).toBe(2);
});

test.each(['br', 'gzip'])('assets are sent as %s, for ever', async (encoding) => {
  const response = await get('/assets/index-Abc.js', { headers: { 'accept-encoding': encoding } });
  expect(response.headers.get('content-encoding')).toBe(encoding);
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await response.text()).length).toBe(5_006);
});

test.each(['/nothing', '/session/v1', '/v1', '/S/1', '//login', '/%73/1', '/loginx'])(
  '%s is no page',
  async (path) => {
    expect(await (await get(path)).json()).toEqual({ error_code: 'unhandled' });
  },
);

test('a browser gets the app with a 404 for an unknown address', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  for (const path of ['/nothing', '/nothing/at/all?x=1']) {
    const response = await get(path, { headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toContain('csp-nonce');
  }
  for (const path of ['/session/v1', '/v1/nothing', '/admin/nothing', '/assets/none.js']) {
    expect((await get(path, { headers })).headers.get('content-type')).toMatch(/json/);
  }
  const posted = await get('/nothing', { headers, method: 'POST' });
  expect(posted.headers.get('content-type')).toMatch(/json/);
});

test.each(['/assets/index-Old.js', '/assets/..%2findex.html', '/assets/.'])(
  '%s is no asset',
  async (path) => {
    const { error_code } = (await (await get(path)).json()) as { error_code: string };
    expect(['route_not_found', 'unhandled']).toContain(error_code);
  },
);

test('pages are read, not written', async () => {
  const response = await get('/login', { method: 'POST' });
  expect(response.headers.get('allow')).toBe('GET, HEAD');
  expect(await response.json()).toEqual({ error_code: 'method_not_allowed' });
});
