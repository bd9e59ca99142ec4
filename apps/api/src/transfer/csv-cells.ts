// Between values and CSV cells. Pure.
//
// A spreadsheet runs a cell that begins with = + - @, a tab or a line break, or their full-width forms, as a formula
// (OWASP, "CSV Injection"). Such text is written with an apostrophe before it, which spreadsheets take for "this is text".
// Text that already has the apostrophe gets another one, and reading takes exactly one away, so that every text comes
// back as it was. The empty text is an apostrophe alone: an empty cell says that there is no value.
import type { ColumnType } from './record-columns.ts';

const DANGER = '[=+\\-@\\t\\r\\n＝＋－＠]';
const TO_ESCAPE = new RegExp(`^'*(?:${DANGER}|$)`);
const ESCAPED = new RegExp(`^''*(?:${DANGER}|$)`);

export const toCell = (type: ColumnType, value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (type === 'json') return JSON.stringify(value);
  const text = String(value);
  return type === 'text' && TO_ESCAPE.test(text) ? `'${text}` : text;
};

/** What the cell says; null where it is empty, undefined where it is no JSON but should be. */
export const fromCell = (type: ColumnType, cell: string): unknown => {
  if (cell === '') return null;
  switch (type) {
    case 'text':
      return ESCAPED.test(cell) ? cell.slice(1) : cell;
    case 'plain':
      return cell;
    case 'integer':
      // What is no integer stays text, and the schema says so.
      return /^-?\d+$/.test(cell) ? Number(cell) : cell;
    case 'json':
      return parseJson(cell);
  }
};

const parseJson = (cell: string): unknown => {
  try {
    return JSON.parse(cell);
  } catch {
    return undefined;
  }
};
