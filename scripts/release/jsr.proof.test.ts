// @muster/client can be published on JSR: its public types need no inference, and it contains every file that it imports.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { installRuntimes } from '../runtimes/test/install-runtimes.ts';
import { ROOT } from '../setup/repository.mjs';

const CLIENT = join(ROOT, 'packages/client');
// Outside of the repository, whose settings for TypeScript are not those of JSR.
const folder = mkdtempSync(join(tmpdir(), 'muster-jsr-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readManifest = (file: string): { name: string; version: string; license: string } =>
  JSON.parse(readFileSync(join(CLIENT, file), 'utf8'));

test('deno publish --dry-run accepts the client', async () => {
  for (const part of ['src', 'jsr.json', 'README.md', 'LICENSE']) {
    cpSync(join(CLIENT, part), join(folder, part), { recursive: true });
  }
  const deno = (await installRuntimes()).find(({ name }) => name === 'deno');
  const published = execFileSync(
    deno?.command ?? '',
    ['publish', '--dry-run', '--allow-dirty', '--quiet'],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  expect(published).not.toContain('.test.ts');
});

test('has the name, the version and the licence of the package on npm', () => {
  const { name, version, license } = readManifest('package.json');
  expect(readManifest('jsr.json')).toMatchObject({ name, version, license });
});
