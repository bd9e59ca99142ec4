// Every claim of SECURITY.md names a test that proves it, and the test exists: its file, and each title that is quoted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listRepositoryFiles } from '../import-rules/source-files.mjs';
import { ROOT } from '../setup/repository.mjs';

const DOCUMENT = 'SECURITY.md';
const COLUMNS = 3;

export function checkSecurityClaims() {
  /** @param {string} file */
  const read = (file) => readFileSync(join(ROOT, file), 'utf8');
  return findUnprovenClaims(read(DOCUMENT), new Set(listRepositoryFiles(ROOT)), read);
}

/**
 * @param {string} markdown with a table whose last column holds proofs, such as `a.test.ts` "title" "title"; `b.test.ts`
 * @param {ReadonlySet<string>} files @param {(file: string) => string} read @returns {string[]}
 */
export function findUnprovenClaims(markdown, files, read) {
  const rows = markdown
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[-| ]+\|$/.test(line))
    .map((line) => line.slice(1, -1).split(' | '))
    .slice(1);
  if (rows.length === 0) return [`${DOCUMENT} makes no claim.`];
  return rows.flatMap((cells) => {
    const [, claim = '', proof = ''] = cells.map((cell) => cell.trim());
    const name = `${DOCUMENT}: "${claim.slice(0, 60)}…"`;
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
}

/** @param {string} cell @returns {{ file: string, titles: string[] }[]} */
const readProofs = (cell) =>
  [...cell.matchAll(/`([^`]+)`((?: "[^"]+")*)/g)].map(([, file = '', titles = '']) => ({
    file,
    titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
  }));

/** As the first words of a call: a title in a comment, or a part of one, proves nothing. @param {string} text @param {string} title */
const holdsTitle = (text, title) => {
  const quoted = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\(\\s*(['"\`])${quoted}\\1`).test(text);
};

/** Paths in back-ticks that stand more than once. @param {string} text */
const findTwice = (text) => {
  const paths = [...text.matchAll(/`([\w./-]+\/[\w./-]+)`/g)].map(([, path = '']) => path);
  return [...new Set(paths.filter((path, index) => paths.indexOf(path) !== index))];
};
