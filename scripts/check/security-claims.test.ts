// Every claim of SECURITY.md names a test that proves it, and the test exists: its file, and each title that is quoted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listRepositoryFiles } from '../import-rules/source-files.mjs';
import { ROOT } from '../setup/repository.mjs';

const COLUMNS = 3;

/** The last column of the table holds proofs, such as `a.test.ts` "title" "title"; `b.test.ts`. */
const findUnprovenClaims = (
  markdown: string,
  files: ReadonlySet<string>,
  read: (file: string) => string,
): string[] => {
  const rows = markdown
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[-| ]+\|$/.test(line))
    .map((line) => line.slice(1, -1).split(' | '))
    .slice(1);
  if (rows.length === 0) return ['SECURITY.md makes no claim.'];
  return rows.flatMap((cells) => {
    const [, claim = '', proof = ''] = cells.map((cell) => cell.trim());
    const name = `"${claim.slice(0, 60)}…"`;
    if (cells.length !== COLUMNS) return [`${name} has ${cells.length} columns, not ${COLUMNS}.`];
    const proofs = readProofs(proof);
    if (proofs.length === 0) return [`${name} names no test.`];
    return [
      ...findTwice(`${claim} ${proof}`).map((path) => `${name} names ${path} twice.`),
      ...proofs.flatMap(({ file, titles }) => {
        if (!/\.test\.ts$/.test(file)) return [`${name}: ${file} is no test.`];
        if (!files.has(file)) return [`${name}: ${file} does not exist.`];
        const text = read(file);
        return titles
          .filter((title) => !holdsTitle(text, title))
          .map((title) => `${name}: ${file} has no test "${title}".`);
      }),
    ];
  });
};

const readProofs = (cell: string): { file: string; titles: string[] }[] =>
  [...cell.matchAll(/`([^`]+)`((?: "[^"]+")*)/g)].map(([, file = '', titles = '']) => ({
    file,
    titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
  }));

/** As the first words of a call: a title in a comment, or a part of one, proves nothing. */
const holdsTitle = (text: string, title: string): boolean => {
  const quoted = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\(\\s*(['"\`])${quoted}\\1`).test(text);
};

/** Paths in back-ticks that occur more than once. */
const findTwice = (text: string): string[] => {
  const paths = [...text.matchAll(/`([\w./-]+\/[\w./-]+)`/g)].map(([, path = '']) => path);
  return [...new Set(paths.filter((path, index) => paths.indexOf(path) !== index))];
};

test('every claim of SECURITY.md names a test that exists', () => {
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  const files = new Set(listRepositoryFiles(ROOT));
  expect(findUnprovenClaims(read('SECURITY.md'), files, read)).toEqual([]);
});

const TEST = "it('refuses what is wrong', async () => {});\n// it('is a comment')";
const judge = (proof: string, claim = 'Wrong things are refused (`src/a.ts`).') =>
  findUnprovenClaims(
    `| What | Claim | Proof |\n|---|---|---|\n| all | ${claim} | ${proof} |\n`,
    new Set(['src/a.test.ts', 'src/a.ts']),
    () => TEST,
  );

test('accepts a claim whose test exists, by file or by title', () => {
  expect(judge('`src/a.test.ts`')).toEqual([]);
  expect(judge('`src/a.test.ts` "refuses what is wrong"')).toEqual([]);
});

test.each([
  ['', 'names no test'],
  ['read, not measured', 'names no test'],
  ['`src/b.ts`', 'src/b.ts is no test'],
  ['`src/gone.test.ts`', 'src/gone.test.ts does not exist'],
  ['`src/a.test.ts` "refuses"', 'has no test "refuses"'],
  ['`src/a.test.ts` "refuses what is wrong" "and more"', 'has no test "and more"'],
  ['`src/a.test.ts`; `src/a.test.ts`', 'names src/a.test.ts twice'],
  ['`src/a.test.ts` | more', 'has 4 columns'],
])('refuses a claim with the proof %j', (proof, said) => {
  expect(judge(proof)).toEqual([expect.stringContaining(said)]);
});

test('refuses a path that a claim names twice, and a document without claims', () => {
  const twice = judge('`src/a.test.ts`', 'Refused: `src/a.ts`, `src/a.ts`.');
  expect(twice).toEqual([expect.stringContaining('names src/a.ts twice')]);
  expect(findUnprovenClaims('# Security\n', new Set(), () => '')).toHaveLength(1);
});
