// Rows as lines of NDJSON or CSV.
import { stringify } from 'csv-stringify/sync';
import type { Column } from '../records/record.ts';
import { toCell } from './csv-cells.ts';

export type FileFormat = 'ndjson' | 'csv';

export type RowWriter = {
  contentType: string;
  /** The beginning of the file; empty for a format without a header. */
  begin(): string;
  write(rows: readonly object[]): string;
};

/** One JSON object per line (ndjson.org). */
const NDJSON: RowWriter = {
  contentType: 'application/x-ndjson; charset=utf-8',
  begin: () => '',
  write: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
};

/** Without it, spreadsheets read UTF-8 as the code page of the system and damage every other letter. */
const BYTE_ORDER_MARK = '\uFEFF';

/** RFC 4180, in UTF-8 with a byte order mark. */
const csvWriter = (columns: readonly Column[]): RowWriter => {
  const lines = (records: string[][]) =>
    // The library quotes its own line ends only, but every reader also treats the others as line ends.
    stringify(records, { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    begin: () => BYTE_ORDER_MARK + lines([columns.map(({ name }) => name)]),
    write: (rows) =>
      rows.length === 0
        ? ''
        : lines(
            rows.map((row) => {
              const values = new Map(Object.entries(row));
              return columns.map(({ name, type }) => toCell(type, values.get(name)));
            }),
          ),
  };
};

export const createRowWriter = (format: FileFormat, columns: readonly Column[]): RowWriter =>
  format === 'csv' ? csvWriter(columns) : NDJSON;
