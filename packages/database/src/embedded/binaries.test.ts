import { lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBinaries, repairSymlinks } from './programs.ts';

let packageDir: string;

beforeEach(async () => {
  packageDir = await mkdtemp(join(tmpdir(), 'muster-binaries-test-'));
  await mkdir(join(packageDir, 'native', 'lib'), { recursive: true });
  await writeFile(join(packageDir, 'native', 'lib', 'libx.so.6.18'), 'library');
  const links = [{ source: 'native/lib/libx.so.6.18', target: 'native/lib/libx.so.6' }];
  await writeFile(join(packageDir, 'native', 'pg-symlinks.json'), JSON.stringify(links));
});

afterEach(() => rm(packageDir, { recursive: true, force: true }));

test('links that an install script would have made are made, also by two starts at once', async () => {
  await Promise.all([repairSymlinks(packageDir), repairSymlinks(packageDir)]);
  const link = join(packageDir, 'native', 'lib', 'libx.so.6');
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(link, 'utf8')).toBe('library');
});

test('a package without a list of links needs none', async () => {
  await rm(join(packageDir, 'native', 'pg-symlinks.json'));
  await expect(repairSymlinks(packageDir)).resolves.toBeUndefined();
});

test('the installed programs are found with their major version', async () => {
  const binaries = await findBinaries();
  expect(binaries.majorVersion).toBe(18);
  for (const path of [binaries.initdb, binaries.pgCtl, binaries.postgres]) {
    expect((await lstat(path)).isFile()).toBe(true);
  }
});
