// Groups the errors in a file by type, each with a suggested fix. Pure.
import type { ImportProblem } from './import-file.ts';

type ProblemGroup = {
  column: string | undefined;
  msg: string;
  remedy: string | undefined;
  rows: number[];
};

/** Patterns of the service's messages; the first match applies. */
const REMEDIES: [RegExp, string][] = [
  [
    /^There is no such (column|field)/,
    'Rename or remove the column; the valid names are listed above.',
  ],
  [/^The column occurs twice/, 'Remove one of the two columns.'],
  [/^Must be a UUID/, 'Leave the cell empty for a new record, or copy the id from an export.'],
  [/^Row \d+ has the same id/, 'Keep one row per id.'],
  [/^Must be JSON/, 'Write it as in an export. A list of texts may also be written as a;b.'],
  [/cells where the header has/, 'Put cells that hold commas or line breaks in quotes.'],
  [/^Is not CSV/, 'Close every quote, and double the quotes within a cell.'],
  [/^(Belongs|Cannot be changed)/, 'Remove the legacy id, or give the row the id of that record.'],
  [/must be greater|increasing/i, 'Sort the levels; each needs more Xp than the one before.'],
];

export const groupProblems = (problems: readonly ImportProblem[]): ProblemGroup[] => {
  const groups = new Map<string, ProblemGroup>();
  for (const { row, column, msg } of problems) {
    // Numbers and ids differ between rows that have the same error.
    const key = JSON.stringify([column, msg.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '#')]);
    const known = groups.get(key);
    if (known) known.rows.push(row);
    else {
      const remedy = REMEDIES.find(([pattern]) => pattern.test(msg))?.[1];
      groups.set(key, { column, msg, remedy, rows: [row] });
    }
  }
  return [...groups.values()].toSorted((a, b) => b.rows.length - a.rows.length);
};

const MAX_ROWS_NAMED = 8;

/** "3, 4, 7 and 12 more". */
export const describeRows = (rows: readonly number[]): string => {
  const named = rows.slice(0, MAX_ROWS_NAMED).map((row) => row.toLocaleString('en'));
  const more = rows.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more.toLocaleString('en')} more` : '');
};
