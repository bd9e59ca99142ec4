import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PackedClient } from './pack-client.ts';
import { packClient } from './pack-client.ts';

let packed: PackedClient;
beforeAll(() => {
  packed = packClient();
});
afterAll(() => packed?.remove());

const read = (file: string): string => readFileSync(join(packed.installed, file), 'utf8');

const MODULES = ['dist/index.js', 'dist/index.cjs'];

test('holds one module in two formats, its types, and what a package is read for', () => {
  expect(readdirSync(packed.installed, { recursive: true }).sort()).toEqual([
    'LICENSE',
    'README.md',
    'THIRD-PARTY-LICENSES.txt',
    'dist',
    'dist/index.cjs',
    'dist/index.d.cts',
    'dist/index.d.ts',
    'dist/index.js',
    'package.json',
  ]);
});

test('is at most 15 kB after gzip, in all', () => {
  const sizes = MODULES.map((file) => gzipSync(read(file)).length);
  expect(sizes[0]! + sizes[1]!).toBeLessThanOrEqual(15_000);
});

test.each([...MODULES, 'dist/index.d.ts', 'dist/index.d.cts'])('%s imports nothing', (file) => {
  expect(read(file)).not.toMatch(
    /^\s*(?:import|export)\b[^;]*\bfrom\b|\bimport\(|\brequire\(|<reference/m,
  );
});

test('needs no other package, and is not private', () => {
  const manifest = JSON.parse(read('package.json'));
  expect(Object.keys(manifest)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:private|dependencies|peerDependencies)$/)]),
  );
});

test('publint has nothing to say', async () => {
  const { messages, pkg } = await publint({
    pkgDir: packed.installed,
    pack: false,
    strict: true,
  });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test('are-the-types-wrong has nothing to say, under every way of resolving', async () => {
  const tarball = createPackageFromTarballData(readFileSync(packed.tarball));
  const analysis = await checkPackage(tarball);
  expect(analysis.types).toMatchObject({ kind: 'included' });
  expect('problems' in analysis && analysis.problems).toEqual([]);
});
