// The texts of the app use current English: "Restore", not "Bring back".
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const OLD_WORDS =
  /\b(?:br(?:ing|ings|inging|ought) back|whilst|amongst|hither|whence|thence|henceforth|heretofore|albeit|perish\w*|withal|ere)\b/i;

/** Comments are not part of the app's texts. */
const withoutComments = (source: string): string =>
  source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

const sources = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname }).filter(
  (path) => !/\.test\.tsx?$/.test(path),
);

test('no text of the app contains an outdated word', () => {
  expect(sources.length).toBeGreaterThan(100);
  const found = sources.filter((path) =>
    OLD_WORDS.test(withoutComments(readFileSync(`${import.meta.dirname}/${path}`, 'utf8'))),
  );
  expect(found).toEqual([]);
});
