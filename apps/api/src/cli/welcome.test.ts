import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { composeWelcome, toBaseUrl } from '../cli/welcome.ts';
import { loadConfig } from '../platform/index.ts';
import { createStopSequence } from '../platform/lifecycle.ts';

const SECRET = 'the secret that only tests sign with';
const baseUrl = 'http://127.0.0.1:3000';
let DATA_DIR: string;
beforeEach(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), "muster-wel'come-"));
});
afterEach(() => rm(DATA_DIR, { recursive: true }));

const compose = (env: Record<string, string>) => {
  const config = loadConfig({ DATA_DIR, ...env });
  const { keys } = config.auth;
  if (keys.kind === 'local') throw new Error('The test names its keys.');
  return composeWelcome({ config, keys, baseUrl, examples: null, owner: null });
};
const countTokens = (text: string) => text.split('Bearer eyJ').length - 1;

it('prints a token where only this machine can use it', async () => {
  expect(countTokens(await compose({ AUTH_JWT_SECRET: SECRET }))).toBe(3);
});

it('keeps the token in a private file where others can reach the service', async () => {
  const text = await compose({ AUTH_JWT_SECRET: SECRET, HOST: '0.0.0.0' });
  expect(countTokens(text)).toBe(0);
  const file = join(DATA_DIR, 'sample-token');
  expect(await readFile(file, 'utf8')).toMatch(/^eyJ/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  // An apostrophe in the path must not end the quotes of the shell.
  expect(text).toContain(`$(cat '${file.replace("'", "'\\''")}')`);
});

it('prints a placeholder where it cannot sign', async () => {
  const env = { AUTH_JWKS_URL: 'https://id.example/k', AUTH_ISSUER: 'i', AUTH_AUDIENCE: 'a' };
  const text = await compose(env);
  expect(text).toContain('Bearer <token>');
  expect(text).toContain('Put a token of your issuer in the place of <token>');
});

it.each([
  ['0.0.0.0', 'http://127.0.0.1:1'],
  ['::', 'http://[::1]:1'],
  ['::1', 'http://[::1]:1'],
  ['game.example', 'http://game.example:1'],
])('names an address for %s that can be connected to', (host, url) => {
  expect(toBaseUrl(host, 1)).toBe(url);
});

it('stops the last part first, and the others also when one fails', async () => {
  const stopped: string[] = [];
  const failed: string[] = [];
  const parts = createStopSequence((name) => failed.push(name));
  for (const name of ['database', 'server', 'readiness']) {
    parts.add(name, async () => {
      stopped.push(name);
      if (name === 'server') throw new Error('stuck');
    });
  }
  await Promise.all([parts.run(), parts.run()]);
  expect(stopped).toEqual(['readiness', 'server', 'database']);
  expect(failed).toEqual(['server']);
});
