// Spreadsheet operations on the rows of an Xp table: add a row, paste cells. Pure.
import type { ThresholdRow } from './draft.ts';
import { EMPTY_THRESHOLD } from './draft.ts';

export const COLUMNS = ['level', 'xp'] as const;
export type Column = (typeof COLUMNS)[number];

/** A cell. */
export type Place = { index: number; column: Column };

/** The next level, with its experience left empty. */
export const nextRow = (rows: readonly ThresholdRow[]): ThresholdRow => {
  const last = Number.parseInt(rows.at(-1)?.level ?? '0', 10);
  return Number.isNaN(last) ? EMPTY_THRESHOLD : { level: String(last + 1), xp: '' };
};

/** Pastes cells downwards and to the right from the given cell. Added rows of pasted Xp get the next levels. */
export const pasteCells = (
  rows: readonly ThresholdRow[],
  { index, column }: Place,
  cells: readonly string[][],
): ThresholdRow[] => {
  const columns = COLUMNS.slice(COLUMNS.indexOf(column));
  const pasted: ThresholdRow[] = [];
  for (const [offset, values] of cells.entries()) {
    const before = pasted.at(-1) ?? rows[index - 1];
    const row = rows[index + offset] ?? nextRow(before ? [before] : []);
    const named = columns.slice(0, values.length).map((name, at) => [name, values[at] ?? '']);
    pasted.push({ ...row, ...Object.fromEntries(named) });
  }
  return [...rows.slice(0, index), ...pasted, ...rows.slice(index + pasted.length)];
};

/**
 * Splits clipboard text of a spreadsheet into rows of cells. Lines are rows. Tabs separate cells; without tabs, semicolons, commas or spaces do. Removes thousands
 * separators and a header row. Returns null for a single value, which is pasted as text.
 */
export const parseCells = (text: string): string[][] | null => {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n');
  const separator = chooseSeparator(lines);
  if (!separator && lines.length === 1) return null;
  const rows = lines
    .filter((line) => line.trim() !== '')
    .map((line) => (separator ? line.split(separator) : [line]).map(readCell));
  const [first = []] = rows;
  return rows.length > 1 && !first.some(hasDigit) ? rows.slice(1) : rows;
};

const SEPARATORS = ['\t', ';', /,(?!\d{3}(?:\D|$))\s*|,\s+/, / +/];

const chooseSeparator = (lines: readonly string[]) =>
  SEPARATORS.find((separator) => lines.every((line) => line.trim().split(separator).length > 1));

const hasDigit = (cell: string): boolean => /\d/.test(cell);

/** Removes thousands separators: spaces, commas and apostrophes between digits. Validation reports other characters. */
const readCell = (cell: string): string =>
  cell.trim().replace(/(?<=\d)[\s\u00a0\u202f,'’](?=\d{3}(?:\D|$))/g, '');
