// Converts values to CSV cells and back, so that no spreadsheet runs them as formulas.
//
// A spreadsheet runs a cell that begins with = + - @, a tab or a line break, or their full-width forms, as a formula
// (OWASP, "CSV Injection"). Such text gets an apostrophe before it, which spreadsheets read as "this is text". With
// other locales and settings, spreadsheets split at other characters than the comma, so text after one of those within
// a cell is treated like the beginning of a cell. Text that already has the apostrophe gets another one, and reading
// removes exactly one, so that every text is restored. The empty text is an apostrophe alone, since an empty cell means
// no value. In JSON the dangerous character is escaped as JSON itself allows. A number stays a number.
import { parsePaced } from '../../flow/index.ts';
import type { ColumnType } from '../records/record.ts';

const SEPARATOR = '[,;|\\t\\r\\n"]';
const DANGER = '[=+\\-@\\t\\r\\n＝＋－＠]';
const TO_ESCAPE = new RegExp(`(?<=^|${SEPARATOR})'*(?=${DANGER})|^'*$`, 'g');
const ESCAPED = new RegExp(`(?<=^|${SEPARATOR})'('*)(?=${DANGER})|^'('*)$`, 'g');

const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;
const DANGER_IN_JSON = new RegExp(`(?<=${SEPARATOR})${DANGER}`, 'g');

export const toCell = (type: ColumnType, value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (type === 'json' || type === 'list') {
    return JSON.stringify(value).replace(JSON_STRING, (text) =>
      text.replace(DANGER_IN_JSON, toJsonEscape),
    );
  }
  const text = String(value);
  return type === 'text' ? text.replace(TO_ESCAPE, "'$&") : text;
};

const toJsonEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The value of the cell: null when it is empty, undefined when it should be JSON but is not. */
export const fromCell = (type: ColumnType, cell: string): unknown => {
  if (cell === '') return null;
  switch (type) {
    case 'text':
      return cell.replace(ESCAPED, '$1$2');
    case 'plain':
      return cell;
    case 'integer':
      // Other text is left to the schema, which refuses it.
      return /^-?\d+$/.test(cell) ? Number(cell) : cell;
    case 'json':
      return parseJson(cell);
    case 'list':
      return JSON_LIKE.test(cell) ? parseJson(cell) : splitList(cell);
  }
};

/** JSON, and not a tag. Values other than lists are then refused as such, and null is an empty cell. */
const JSON_LIKE = /^\s*(?:[[{"]|null\s*$)/;

/** The way people write lists in a spreadsheet: `melee; rare`. */
const splitList = (cell: string): string[] => {
  const first = cell.split(';', MAX_PARTS + 1);
  if (first.length > MAX_PARTS) return first;
  return cell
    .replace(ESCAPED, '$1$2')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
};

/** More than a list may have, including empty parts: a longer one is left as it is, and refused by its length. */
const MAX_PARTS = 256;

const parseJson = (cell: string): unknown => {
  try {
    return JSON.parse(cell);
  } catch {
    return undefined;
  }
};

/** Characters: longer than most whole records. */
const LONG_CELL = 16_384;

/** Like `fromCell`, but parses JSON in time slices. */
export const readCell = (type: ColumnType, cell: string): unknown => {
  const isJson = type === 'json' || (type === 'list' && JSON_LIKE.test(cell));
  if (!isJson || cell.length < LONG_CELL) return fromCell(type, cell);
  return parsePaced(cell).catch(() => undefined);
};
