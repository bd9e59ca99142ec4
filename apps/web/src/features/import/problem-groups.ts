// The problems of a file in words, each with a suggested fix, and as a CSV file. Pure.
import type { ImportProblem, ProblemGroup } from './import-file.ts';

/** Patterns of the service's messages; the first match applies. */
const REMEDIES: [RegExp, string][] = [
  [
    /^There is no such (column|field)/,
    'Choose what receives the column, or rename it; the valid names are listed above.',
  ],
  [/^The column occurs twice/, 'Remove one of the two columns.'],
  [/^Must be a UUID/, 'Leave the cell empty for a new record, or copy the id from an export.'],
  [/^Row \d+ has the same (id|record)/, 'Keep one row per record.'],
  [/^The file has a header but no rows/, 'Add rows below the header.'],
  [/^Must be JSON/, 'Write it as in an export. A list of texts may also be written as a;b.'],
  [/cells where the header has/, 'Put cells that hold commas or line breaks in quotes.'],
  [/^Is not CSV/, 'Close every quote, and double the quotes within a cell.'],
  [/^(Belongs|Cannot be changed)/, 'Remove the legacy id, or give the row the id of that record.'],
  [/must be greater|increasing/i, 'Sort the levels; each needs more Xp than the one before.'],
];

export const findRemedy = (msg: string): string | undefined =>
  REMEDIES.find(([pattern]) => pattern.test(msg))?.[1];

const MAX_ROWS_NAMED = 8;

/** "3, 4, 7 and 12 more". */
export const describeRows = ({ rows, count }: Pick<ProblemGroup, 'rows' | 'count'>): string => {
  const named = rows.slice(0, MAX_ROWS_NAMED).map((row) => row.toLocaleString('en'));
  const more = count - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more.toLocaleString('en')} more` : '');
};

/** With a byte order mark, as spreadsheets need it. */
export const writeProblems = (problems: readonly ImportProblem[]): string => {
  const lines = problems.map(({ row, column = '', msg }) => [String(row), column, msg]);
  const header = ['row', 'column', 'problem'];
  return `\uFEFF${[header, ...lines].map((cells) => cells.map(toCell).join(',')).join('\r\n')}\r\n`;
};

/** A column name comes from the file: a spreadsheet must not run it as a formula. */
const toCell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
