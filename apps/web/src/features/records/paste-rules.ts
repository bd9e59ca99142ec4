// A column of a spreadsheet that is pasted into a list. Pure.
import type { CellField, CellValue } from './cell-fields.ts';
import { isSameCell, readCell, toCellPatch } from './cell-fields.ts';
import type { RecordFields, StoredRecord } from './record-kind.ts';
import { ITEM_TYPES } from './record-kind.ts';

/** The first cell of each line, and whether any line has more. */
export type PastedColumn = { values: string[]; hasMoreColumns: boolean };

export const readPastedColumn = (text: string): PastedColumn => {
  const lines = `${text.replace(/\r\n?/g, '\n').replace(/\n$/, '')}\n`;
  const values: string[] = [];
  let hasMoreColumns = false;
  let isFirst = true;
  for (const [, cell = '', end] of lines.matchAll(CELL_AND_END)) {
    if (isFirst) values.push(unquote(cell).trim());
    isFirst = end === '\n';
    if (!isFirst) hasMoreColumns = true;
  }
  return { values, hasMoreColumns };
};

/** A cell, which can contain line ends and tabs when it is quoted, and what ends it. */
const CELL_AND_END = /("[^"]*(?:""[^"]*)*"|[^\t\n]*)([\t\n])/g;

/** Spreadsheets quote cells with a line end or a tab. The quotes of other cells are part of their text. */
const unquote = (cell: string): string =>
  /[\t\n]/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;

/** Undefined for a text that is not a value of the field. */
export const readPastedValue = ({ name }: CellField, text: string): CellValue | undefined => {
  if (name === 'tags') {
    const tags = text.split(/[;,]/).map((tag) => tag.trim());
    return [...new Set(tags.filter((tag) => tag !== ''))];
  }
  if (name === 'item_type') {
    const typed = text.toLowerCase();
    return ITEM_TYPES.find(({ value, label }) => [value, label.toLowerCase()].includes(typed))
      ?.value;
  }
  return name === 'name' && text === '' ? undefined : text;
};

export type PastePlan = {
  /** Rows whose value changes. */
  changes: { record: StoredRecord; patch: RecordFields }[];
  unchanged: number;
  /** Deleted rows, which keep their values. Their lines are not used. */
  deleted: number;
  problems: string[];
  /** Why the numbers of lines and rows differ. */
  mismatch: string | undefined;
};

/** Puts one line into each row. A single line is for all rows. */
export const planPaste = (
  field: CellField,
  values: readonly string[],
  records: readonly StoredRecord[],
): PastePlan => {
  const changes: PastePlan['changes'] = [];
  const problems: string[] = [];
  let deleted = 0;
  const count = values.length === 1 ? records.length : Math.min(values.length, records.length);
  for (const [index, record] of records.slice(0, count).entries()) {
    if (record.deleted) {
      deleted += 1;
      continue;
    }
    const text = values.length === 1 ? values[0] : values[index];
    const value = readPastedValue(field, text ?? '');
    if (value === undefined) {
      problems.push(`Line ${index + 1}: "${text}" is not a value of ${field.label}.`);
    } else if (!isSameCell(value, readCell(record, field))) {
      changes.push({ record, patch: toCellPatch(record, field, value) });
    }
  }
  const unchanged = count - deleted - changes.length - problems.length;
  return {
    changes,
    unchanged,
    deleted,
    problems,
    mismatch: describeMismatch(values.length, records.length),
  };
};

const describeMismatch = (lines: number, rows: number): string | undefined => {
  if (lines === rows || lines === 1) return;
  const counts = `${count(lines, 'line')} for ${count(rows, 'row')}.`;
  const rest = Math.abs(lines - rows);
  return lines > rows
    ? `${counts} The last ${rest === 1 ? 'line is' : `${count(rest, 'line')} are`} not used.`
    : `${counts} The last ${rest === 1 ? 'row is' : `${count(rest, 'row')} are`} unchanged.`;
};

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
