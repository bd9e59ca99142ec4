// The table in the README: computed from the cases, so that it cannot say what is not so.
import { CASE_FILES, COVERAGE, suite } from './suite.ts';

const countOf = (file: string): number => CASE_FILES[file]?.length ?? 0;

const row = (part: string, files: readonly string[]): string => {
  const list = files.map((file) => `${file} (${countOf(file)})`).join(', ');
  return `| ${part} | ${files.reduce((sum, file) => sum + countOf(file), 0)} | ${list} |`;
};

/** A Markdown table; a file that proves several parts is counted in each. */
export const coverageTable = (): string =>
  [
    '| part | cases | files of `src/cases` (cases) |',
    '|---|---|---|',
    ...Object.entries(COVERAGE).map(([part, files]) => row(part, files)),
    '',
    `${suite.length} cases in ${Object.keys(CASE_FILES).length} files.`,
  ].join('\n');
