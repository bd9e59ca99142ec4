// Reads CSV (RFC 4180) with a header of known columns; empty lines are passed over.
import { pipeline, Readable } from 'node:stream';
import type { Parser } from 'csv-parse';
import { CsvError, parse } from 'csv-parse';
import { fromCell } from './csv-cells.ts';
import type { FileProblem, FileRow } from './file-row.ts';
import { MAX_ROW_LENGTH } from './file-row.ts';
import type { Column } from './record-columns.ts';

type Parsed = { info: { records: number; empty_lines: number }; record: string[] };

/** A file whose header is wrong, or that is no CSV from some row on, ends with that problem. */
export async function* readCsv(
  text: AsyncIterable<string>,
  known: readonly Column[],
): AsyncGenerator<FileRow | FileProblem> {
  let columns: Column[] | undefined;
  try {
    for await (const { info, record } of openParser(text)) {
      const row = info.records + info.empty_lines;
      if (columns) {
        yield readRecord(row, columns, record);
        continue;
      }
      const problems = checkHeader(row, record, known);
      yield* problems;
      if (problems.length > 0) return;
      columns = record.flatMap((name) => known.find((column) => column.name === name) ?? []);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { row: rowOf(error), msg: `Is not CSV: ${error.message}` };
    return;
  }
  if (!columns) yield { row: 1, msg: 'The file has no header' };
}

/** The parser counts the rows before the one that it could not read. */
const rowOf = ({ records, empty_lines }: CsvError): number =>
  Number(records ?? 0) + Number(empty_lines ?? 0) + 1;

const openParser = (text: AsyncIterable<string>): AsyncIterable<Parsed> => {
  const parser: Parser = parse({
    bom: true,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_ROW_LENGTH,
    // A row with too few or too many cells is a problem of that row, not the end of the file.
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // What the source throws comes out of the parser.
  return pipeline(Readable.from(text), parser, () => {});
};

const checkHeader = (row: number, names: string[], known: readonly Column[]): FileProblem[] => [
  ...names
    .filter((name) => !known.some((column) => column.name === name))
    .map((column) => ({ row, column, msg: `There is no such column; there are ${list(known)}` })),
  ...names
    .filter((name, index) => names.indexOf(name) !== index)
    .map((column) => ({ row, column, msg: 'The column occurs twice' })),
];

const list = (columns: readonly Column[]) => columns.map(({ name }) => name).join(', ');

const readRecord = (row: number, columns: Column[], cells: string[]): FileRow | FileProblem => {
  if (cells.length !== columns.length) {
    return { row, msg: `Has ${cells.length} cells where the header has ${columns.length}` };
  }
  const fields: [string, unknown][] = [];
  for (const [index, { name, type }] of columns.entries()) {
    const value = fromCell(type, cells[index] ?? '');
    if (value === undefined) return { row, column: name, msg: 'Must be JSON' };
    fields.push([name, value]);
  }
  return { row, fields: Object.fromEntries(fields) };
};
