// The size of the first load, measured from the build.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const MOST_BYTES = 300_000;

type Chunk = {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
};

const manifest = JSON.parse(readFileSync(`${DIST}manifest.json`, 'utf8')) as Record<string, Chunk>;

/** All chunks that the entry imports, directly or not. They load before the first line runs. */
const listInitialChunks = (): Chunk[] => {
  const names = Object.keys(manifest).filter((name) => manifest[name]?.isEntry);
  const seen = new Set(names);
  for (const name of seen) for (const next of manifest[name]?.imports ?? []) seen.add(next);
  return [...seen].map((name) => manifest[name]!);
};

const read = ({ file }: Chunk) => readFileSync(`${DIST}${file}`);

/** Words that minifying does not remove from these libraries. */
const LATE = {
  'the differ': 'objectHash',
  'the charts': 'u-legend',
  'the editor': 'cm-editor',
};

describe('the first load', () => {
  const initial = listInitialChunks();

  test('is 300 kB of JavaScript at most, compressed', () => {
    const bytes = initial.reduce((sum, chunk) => sum + gzipSync(read(chunk)).length, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  test.each(Object.entries(LATE))('does not contain %s', (_, word) => {
    for (const chunk of initial) expect(read(chunk).includes(word)).toBe(false);
  });

  test('contains one font, of which an English page loads 50 kB', () => {
    const fonts = readdirSync(`${DIST}assets`).filter((file) => /\.(?:woff2?|ttf|otf)$/.test(file));
    expect(fonts.filter((file) => !/^inter-[a-z-]+-wght-normal-.+\.woff2$/.test(file))).toEqual([]);
    const latin = fonts.filter((file) => file.startsWith('inter-latin-wght'));
    expect(latin).toHaveLength(1);
    expect(readFileSync(`${DIST}assets/${latin[0]}`).length).toBeLessThanOrEqual(50_000);
    const css = Object.keys(manifest).flatMap((name) => manifest[name]?.css ?? []);
    const faces = css.flatMap(
      (file) => readFileSync(`${DIST}${file}`, 'utf8').match(/@font-face\s*\{[^}]*\}/g) ?? [],
    );
    expect(faces.length).toBeGreaterThanOrEqual(fonts.length);
    for (const face of faces) expect(face).toMatch(/unicode-range:.*/);
  });

  test('contains no page', () => {
    const pages = Object.keys(manifest).filter((name) => name.includes('?tsr-split=component'));
    expect(pages.length).toBeGreaterThan(20);
    const files = new Set(initial.map(({ file }) => file));
    for (const page of pages) expect(files.has(manifest[page]!.file)).toBe(false);
  });

  test('the build contains the differ', () => {
    const all = Object.values(manifest).filter(({ file }) => file.endsWith('.js'));
    expect(all.some((chunk) => read(chunk).includes(LATE['the differ']))).toBe(true);
  });
});
