import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../options.ts';
import { assertJsonWritable, assertPageWritable, BEGIN, END } from './report.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-writable-'));
});

afterAll(() => rm(folder, { recursive: true }));

test('results can be written where there are some, and where there are none yet', async () => {
  const old = join(folder, 'old.json');
  await writeFile(old, '{}');
  await assertJsonWritable(old);
  await assertJsonWritable(join(folder, 'new', 'results.json'));
  expect(await readFile(old, 'utf8')).toBe('{}');
  expect(await readdir(join(folder, 'new'))).toEqual([]);
});

test('a folder, and a file in the place of a folder, take no results', async () => {
  const file = join(folder, 'file');
  await mkdir(join(folder, 'folder'));
  await writeFile(file, '');
  for (const target of [join(folder, 'folder'), join(file, 'results.json')]) {
    await expect(assertJsonWritable(target)).rejects.toThrow(UsageError);
    await expect(assertJsonWritable(target)).rejects.toThrow(`--json: ${target} cannot be written`);
  }
});

test('a page takes the tables if it is there and has their markers', async () => {
  const page = join(folder, 'page.md');
  await expect(assertPageWritable(page)).rejects.toThrow(UsageError);
  await writeFile(page, '# Benchmarks\n');
  await expect(assertPageWritable(page)).rejects.toThrow('lacks');
  const text = `# Benchmarks\n${BEGIN}\n${END}\n`;
  await writeFile(page, text);
  await assertPageWritable(page);
  expect(await readFile(page, 'utf8')).toBe(text);
});
