// The texts of the app are in current English: "Restore", not "Bring back".
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const OLD_WORDS =
  /\b(?:br(?:ing|ings|inging|ought) back|whilst|amongst|hither|whence|thence|henceforth|heretofore|albeit|perish\w*|withal|ere)\b/i;

/** The comments are for those who read the code. */
const withoutComments = (source: string): string =>
  source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

const sources = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname }).filter(
  (path) => !/\.test\.tsx?$/.test(path),
);

test('no text of the app has a word that nobody uses any more', () => {
  expect(sources.length).toBeGreaterThan(100);
  const found = sources.filter((path) =>
    OLD_WORDS.test(withoutComments(readFileSync(`${import.meta.dirname}/${path}`, 'utf8'))),
  );
  expect(found).toEqual([]);
});
