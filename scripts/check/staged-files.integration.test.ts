import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../setup/repository.mjs';
import { formatStaged } from './staged-files.mjs';

/** A machine without git commits nothing. */
const hasGit = spawnSync('git', ['--version']).status === 0;
const it = test.skipIf(!hasGit);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-staged-'));
  for (const file of ['biome.json', '.gitignore']) {
    await copyFile(join(ROOT, file), join(folder, file));
  }
  git('init', '--quiet');
});
afterEach(() => rm(folder, { recursive: true }));

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
const write = (file: string, text: string) => writeFile(join(folder, file), text);

const UNFORMATTED = 'export const one = "1"\n';
const FORMATTED = "export const one = '1';\n";

it('commits a staged file formatted, and leaves other files unchanged', async () => {
  await write('staged.ts', UNFORMATTED);
  await write('other.ts', UNFORMATTED);
  git('add', 'staged.ts');
  expect(formatStaged(folder)).toBe(0);
  expect(git('show', ':staged.ts')).toBe(FORMATTED);
  expect(await readFile(join(folder, 'other.ts'), 'utf8')).toBe(UNFORMATTED);
});

it('refuses a staged file with an error of the linter', async () => {
  await write('staged.ts', 'export const one: any = 1;\n');
  git('add', 'staged.ts');
  expect(formatStaged(folder)).toBe(1);
});

it('stages no further changes of a file', async () => {
  await write('staged.ts', UNFORMATTED);
  git('add', 'staged.ts');
  await write('staged.ts', `${UNFORMATTED}export const two = 2;\n`);
  expect(formatStaged(folder)).toBe(1);
  expect(git('show', ':staged.ts')).toBe(UNFORMATTED);
});

it('accepts staged files of types that it does not format, and deleted ones', async () => {
  await write('a page.md', '# Page\n');
  await write('old.ts', FORMATTED);
  git('add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'one');
  await write('a page.md', '# Another page\n');
  await rm(join(folder, 'old.ts'));
  git('add', '--all');
  expect(formatStaged(folder)).toBe(0);
});
