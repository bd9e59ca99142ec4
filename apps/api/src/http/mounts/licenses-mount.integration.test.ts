// The licences over real HTTP, from a file as a build leaves it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '../../platform/errors.ts';
import { mountLicenses } from './licenses-mount.ts';

const folder = mkdtempSync(join(tmpdir(), 'licenses-mount-'));
const file = join(folder, 'THIRD-PARTY-LICENSES.txt');
const app = express();
mountLicenses(app, file);
app.use(((error, _request, response, _next) => {
  response.status(404).json({ error_code: error instanceof ServiceError ? error.code : 'other' });
}) as express.ErrorRequestHandler);
const server = createServer(app);
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/THIRD-PARTY-LICENSES.txt`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

test('are not found before there is a build, and then plain text for everyone', async () => {
  expect(await (await fetch(url)).json()).toEqual({ error_code: 'route_not_found' });
  const text = 'Licences of Paweł and others\n'.repeat(100);
  writeFileSync(file, text);
  const response = await fetch(url);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; charset=utf-8',
  ]);
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(await response.text()).toBe(text);
  const etag = response.headers.get('etag') ?? '';
  const again = { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } };
  expect((await fetch(url, again)).status).toBe(304);
});

test('are read, not written', async () => {
  const response = await fetch(url, { method: 'POST' });
  expect(response.headers.get('allow')).toBe('GET, HEAD');
  expect(await response.json()).toEqual({ error_code: 'method_not_allowed' });
});
