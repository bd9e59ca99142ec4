// The rows of an exported workbook, from the lines of an NDJSON export. Pure.
import type { ImportKind } from '../import/import-file.ts';
import { COLUMNS } from '../import/import-file.ts';

type ExportedRecord = Readonly<Record<string, unknown>> & {
  custom_data?: Readonly<Record<string, string>>;
};

/** A line: a record, or a version of one. */
type ExportedLine = ExportedRecord & { record?: ExportedRecord };

const VERSION = [
  'seq',
  'version_id',
  'transaction_id',
  'operation',
  'version',
  'account_id',
  'reason',
  'issued_at',
  'changed_fields',
];

const CUSTOM_DATA = 'custom_data';
/** With more keys, the columns would be hard to read: custom data then is one column of JSON. */
const MAX_KEYS = 200;

export const createRowReader = (kind: ImportKind) => {
  const keys = new Set<string>();
  let hasVersions = false;
  return {
    /** Every line must be added first, because each can have other keys. */
    add(line: string): void {
      const { record, custom_data } = JSON.parse(line) as ExportedLine;
      hasVersions ||= record !== undefined;
      for (const key of Object.keys(record?.custom_data ?? custom_data ?? {})) keys.add(key);
    },
    header(): string[] {
      // As in CSV, except that custom data has a column for each key.
      const columns = COLUMNS[kind].filter((name) => name !== CUSTOM_DATA);
      const fields = [...(hasVersions ? VERSION : []), ...columns];
      const custom = hasColumns(keys) ? [...keys].sort().map(toColumn) : [CUSTOM_DATA];
      return [...fields, ...custom];
    },
    read(line: string): Map<string, string> {
      const { record, ...rest } = JSON.parse(line) as ExportedLine;
      const { custom_data = {}, ...fields } = { ...rest, ...record };
      const values = new Map(Object.entries(fields).map(([name, value]) => [name, toText(value)]));
      if (!hasColumns(keys)) return values.set(CUSTOM_DATA, toText(custom_data));
      for (const [key, value] of Object.entries(custom_data)) {
        values.set(toColumn(key), toText(value));
      }
      return values;
    },
  };
};

const toColumn = (key: string): string => escapeCharacters(`${CUSTOM_DATA}.${key}`);

/** An import ignores case and surrounding white space in the names of columns. */
const hasColumns = (keys: ReadonlySet<string>): boolean =>
  keys.size <= MAX_KEYS &&
  [...keys].every((key) => key === key.trim()) &&
  new Set([...keys].map((key) => key.toLowerCase())).size === keys.size;

/**
 * An import removes an apostrophe before text that a spreadsheet would run as a formula. Text that has this apostrophe
 * gets another one. No other text needs it, because every cell is text.
 */
const READ_AS_ESCAPE = /(?<=^|[,;|\t\r\n"])'+(?=[=+\-@\t\r\n＝＋－＠])|^'*$/g;

/** A workbook uses this pattern for characters that XML cannot hold. */
const READ_AS_CHARACTER = /_(?=x[0-9a-f]{4}_)/gi;

const escapeCharacters = (text: string): string => text.replace(READ_AS_CHARACTER, '_x005F_');

const toText = (value: unknown): string => {
  const text = typeof value === 'string' ? value.replace(READ_AS_ESCAPE, "'$&") : toPlain(value);
  return escapeCharacters(text);
};

const toPlain = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
