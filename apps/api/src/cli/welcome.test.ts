import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { composeWelcome, mayShowSecrets, toBaseUrl } from '../cli/welcome.ts';
import { loadConfig } from '../platform/index.ts';
import { createStopSequence } from '../platform/lifecycle.ts';
import type { DemoExamples } from './demo/index.ts';

const SECRET = 'the secret that only tests sign with';
const baseUrl = 'http://127.0.0.1:3000';
let DATA_DIR: string;
beforeEach(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), "muster-wel'come-"));
});
afterEach(() => rm(DATA_DIR, { recursive: true }));

const EXAMPLES: DemoExamples = {
  sandboxId: '4b1d6f0e-3a52-4c77-8a0b-6d2f1c9e5b34',
  join: {
    platform: 'Steam',
    platformSessionIdBase64: 'd2VsY29tZQ',
    playerUuid: '0f8e7d6c-5b4a-4938-8271-605f4e3d2c1b',
    teamId: 0,
    clientVersion: '1.0.0',
    input: 'gamepad',
  },
};

const compose = (
  env: Record<string, string>,
  { showsSecrets, examples }: { showsSecrets: boolean; examples: DemoExamples | null },
) => {
  const config = loadConfig({ DATA_DIR, ...env });
  const { keys } = config.auth;
  if (keys.kind === 'local') throw new Error('The test names its keys.');
  return composeWelcome({ config, keys, baseUrl, examples, owner: null, showsSecrets });
};
const findTokens = (text: string) =>
  [...text.matchAll(/Bearer (eyJ[\w.-]+)/g)].map(([, jwt]) => jwt);

it('shows secrets only on loopback: on a terminal, or with demo data and no public address', () => {
  const may = (env: Record<string, string>, examples: DemoExamples | null, isTerminal: boolean) =>
    mayShowSecrets(loadConfig({ AUTH_JWT_SECRET: SECRET, ...env }), examples, isTerminal);
  const PUBLIC = { PUBLIC_URL: 'https://muster.example', TRUST_PROXY: '1' };
  expect([
    may({}, EXAMPLES, false),
    may({}, null, true),
    may({ DEMO_DATA: '0', ...PUBLIC }, null, true),
  ]).toEqual([true, true, true]);
  expect([
    may({ DEMO_DATA: '0' }, EXAMPLES, false),
    may({}, null, false),
    may(PUBLIC, EXAMPLES, false),
    may({ HOST: '0.0.0.0' }, EXAMPLES, true),
  ]).toEqual([false, false, false, false]);
});

it('prints tokens that are valid for one hour', async () => {
  const text = await compose({ AUTH_JWT_SECRET: SECRET }, { showsSecrets: true, examples: null });
  const tokens = findTokens(text);
  expect(tokens).toHaveLength(3);
  for (const token of tokens) {
    const { exp, iat } = JSON.parse(atob(token?.split('.')[1] ?? ''));
    expect(exp - iat).toBe(3600);
  }
});

it('prints tokens that read only the sandbox of the sample', async () => {
  const examples = EXAMPLES;
  const text = await compose({ AUTH_JWT_SECRET: SECRET }, { showsSecrets: true, examples });
  const narrowed = `sandbox:${EXAMPLES.sandboxId}:config:view`;
  for (const token of findTokens(text)) {
    const { permissions } = JSON.parse(atob(token?.split('.')[1] ?? ''));
    expect(permissions).toEqual(['session:update-player:self', narrowed]);
  }
  expect(text).toContain(`--permissions session:update-player:self,${narrowed}`);
  expect(text).not.toContain('sandbox:config:view');
});

it('shows no requests when it may show no token and there is no demo data', async () => {
  const text = await compose({ AUTH_JWT_SECRET: SECRET }, { showsSecrets: false, examples: null });
  expect(text).not.toMatch(/Bearer|curl/);
  await expect(stat(join(DATA_DIR, 'sample-token'))).rejects.toThrow('ENOENT');
});

it('stores the token in a private file when others may read the output', async () => {
  const file = join(DATA_DIR, 'sample-token');
  const foreign = join(DATA_DIR, 'foreign');
  await writeFile(foreign, 'unchanged', { mode: 0o644 });
  await symlink(foreign, file);
  const env = { AUTH_JWT_SECRET: SECRET, HOST: '0.0.0.0' };
  const text = await compose(env, { showsSecrets: false, examples: EXAMPLES });
  expect(findTokens(text)).toEqual([]);
  // A link that another user has created there is replaced, not followed.
  expect(await readFile(foreign, 'utf8')).toBe('unchanged');
  expect(await readFile(file, 'utf8')).toMatch(/^eyJ/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  // An apostrophe in the path must not end the quotes of the shell.
  expect(text).toContain(`$(cat '${file.replace("'", "'\\''")}')`);
});

it('prints a placeholder when it cannot sign', async () => {
  const env = { AUTH_JWKS_URL: 'https://id.example/k', AUTH_ISSUER: 'i', AUTH_AUDIENCE: 'a' };
  const text = await compose(env, { showsSecrets: true, examples: null });
  expect(text).toContain('Bearer <token>');
  expect(text).toContain('Replace <token> with a token of your issuer');
});

it.each([
  ['0.0.0.0', 'http://127.0.0.1:1'],
  ['::', 'http://[::1]:1'],
  ['::1', 'http://[::1]:1'],
  ['game.example', 'http://game.example:1'],
])('shows an address for %s that accepts connections', (host, url) => {
  expect(toBaseUrl(host, 1)).toBe(url);
});

it('stops the last part first, and continues when one fails', async () => {
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
