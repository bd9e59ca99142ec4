import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ROOT } from '../setup/repository.mjs';
import { listRepositoryFiles } from './source-files.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muster-files-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const FILES = [
  '.github/workflows/ci.yml',
  '.npmrc',
  'apps/api/src/main.ts',
  'docs/.vitepress/config.ts',
  'package.json',
];
const OTHERS = ['.git/config', 'apps/web/dist/index.js', 'node_modules/a/package.json'];

test('outside of a repository, every file is listed that is not installed or built', () => {
  for (const file of [...FILES, ...OTHERS]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  expect(listRepositoryFiles(root)).toEqual(FILES);
});

test('this repository is listed without git as well', () => {
  vi.stubEnv('PATH', '');
  const listed = listRepositoryFiles(ROOT);
  expect(listed).toContain('scripts/import-rules/source-files.test.ts');
  expect(listed.filter((file) => file.includes('node_modules'))).toEqual([]);
});
