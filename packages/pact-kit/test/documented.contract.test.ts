// The files that docs/contract.md has consumer teams write: run as they stand there, and the pact that they leave verified.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';
import { runKit } from './run-kit.ts';
import { temporaryFolder } from './verify-for-test.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/contract.md'), 'utf8');

/** Each names its file in bold before it. */
const FILES = [...PAGE.matchAll(/\*\*(\S+\.m?ts)\*\*[^*]*?```ts\n(.*?)```/gs)];

it('writes a pact that verifies, from the files of docs/contract.md', async () => {
  const project = temporaryFolder();
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, 'package.json'), '{}');
  expect(FILES).toHaveLength(PAGE.split('```ts\n').length - 1);
  for (const [, name = '', text = ''] of FILES) {
    mkdirSync(join(project, dirname(name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const tests = spawnSync(process.execPath, [vitest, 'run'], { cwd: project, encoding: 'utf8' });
  expect(tests.stdout + tests.stderr).toContain('1 passed');
  const { url, secret } = inject('provider');
  const running = ['--provider-url', url, '--secret', secret];
  const { code, out } = await runKit(['verify', join(project, 'pacts'), ...running]);
  expect(out).toContain('1 passed, 0 failed');
  expect(code).toBe(0);
});
