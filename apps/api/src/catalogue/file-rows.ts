// Files of records in both directions: rows as lines of NDJSON or CSV, and the bytes of an upload as rows.
import { pipeline, Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import type { Parser } from 'csv-parse';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { createPacer, parsePaced } from '../flow/index.ts';
import { ServiceError } from '../platform/index.ts';
import { readCell, toCell } from './csv-cells.ts';
import type { Column } from './record.ts';
import { splitJsonArray } from './split-json-array.ts';

/** One row of an imported file, as written; the schemas have not checked it. */
export type FileRow = {
  /** Counted like a spreadsheet or an editor, from 1; the header of a CSV file is row 1. */
  row: number;
  fields: Record<string, unknown>;
};

/** A fault in a file, and its location. */
export type FileProblem = { row: number; column?: string; msg: string };

/** True for a problem, which takes the place of its row. */
export const isProblem = (entry: FileRow | FileProblem): entry is FileProblem => 'msg' in entry;

export type FileRows = {
  /**
   * `whole`: a row is the whole record, and missing fields are cleared. `columns`: a row has the columns of the header,
   * and other fields are unchanged.
   */
  meaning: 'whole' | 'columns';
  entries: AsyncIterable<FileRow | FileProblem>;
};

/** Per row: longer than any valid record, whose texts have some 70,000 characters, each up to 6 in JSON. */
export const MAX_ROW_LENGTH = 524_288;
/** Per row: several times as many as any record has, so that a row of unknown ones is one problem. */
const MAX_FIELDS = 64;
/** Reported problems of one header. */
const MAX_HEADER_PROBLEMS = 64;

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

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Errors during reading: input_invalid (the encoding). */
export const readFile = (
  format: FileFormat,
  bytes: Bytes,
  columns: readonly Column[],
): FileRows => {
  const text = decode(bytes);
  return format === 'csv'
    ? { meaning: 'columns', entries: readCsv(text, columns) }
    : { meaning: 'whole', entries: readJson(text) };
};

/** The text of UTF-8, or of UTF-16 with a byte order mark. Removes the mark. */
async function* decode(bytes: Bytes): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let begin: Uint8Array = new Uint8Array();
  const pacer = createPacer();
  for await (const chunk of bytes) {
    // Many chunks may contain no complete row, so this is another point to yield.
    if (pacer.isDue()) await pacer.rest();
    if (decoder) {
      yield decodePart(decoder, chunk);
      continue;
    }
    // The first chunks may be shorter than the mark of UTF-32.
    begin = Buffer.concat([begin, chunk]);
    if (begin.length < 4) continue;
    decoder = createDecoder(begin);
    yield decodePart(decoder, begin);
  }
  if (!decoder) {
    decoder = createDecoder(begin);
    yield decodePart(decoder, begin);
  }
  yield decodePart(decoder);
}

const createDecoder = ([first, second, third, fourth]: Uint8Array): TextDecoder => {
  const isUtf32 = first === 0xff && second === 0xfe && third === 0 && fourth === 0;
  if (isUtf32) throw unreadable();
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  // No CSV or JSON begins with U+0000: this is UTF-16 without the mark, or UTF-32.
  if (first === 0 || second === 0) throw unreadable();
  return new TextDecoder('utf-8', { fatal: true });
};

const decodePart = (decoder: TextDecoder, chunk?: Uint8Array): string => {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch (cause) {
    throw unreadable(cause);
  }
};

const unreadable = (cause?: unknown) =>
  new ServiceError('input_invalid', {
    desc: 'The file is not UTF-8. Save it as UTF-8 (in Excel: "CSV UTF-8") and upload it again.',
    cause,
  });

/** One JSON array of records when the file begins with a bracket, otherwise NDJSON. */
async function* readJson(text: AsyncIterable<string>): AsyncGenerator<FileRow | FileProblem> {
  const { begin, all } = await readBegin(text, /\S/);
  if (!begin.trimStart().startsWith('[')) return yield* readNdjson(all);
  for await (const piece of splitJsonArray(all, MAX_ROW_LENGTH)) {
    yield 'msg' in piece ? piece : await readLine(piece.row, piece.text);
  }
}

/** The text up to the first part with such a character, and the whole text. */
const readBegin = async (text: AsyncIterable<string>, character: RegExp) => {
  const source = text[Symbol.asyncIterator]();
  let begin = '';
  for (let isFound = false; !isFound && begin.length <= MAX_ROW_LENGTH; ) {
    const { value, done } = await source.next();
    if (done) break;
    begin += value;
    isFound = character.test(value);
  }
  async function* readAll() {
    try {
      yield begin;
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
    } finally {
      await source.return?.();
    }
  }
  return { begin, all: readAll() };
};

/** One JSON object per line; blank lines are skipped. */
async function* readNdjson(text: AsyncIterable<string>): AsyncGenerator<FileRow | FileProblem> {
  let row = 0;
  let rest = '';
  const pacer = createPacer();
  for await (const chunk of text) {
    // Only the new text is searched: a line may arrive in as many pieces as it has characters.
    const [end = '', ...lines] = chunk.split('\n');
    for (const next of lines.length > 0 ? [end, ...lines.slice(0, -1)] : []) {
      const line = rest + next;
      rest = '';
      row += 1;
      if (line.length > MAX_ROW_LENGTH) return yield tooLong(row);
      if (!isBlank(line)) yield await readLine(row, line);
      else if (pacer.isDue()) await pacer.rest();
    }
    rest += lines.at(-1) ?? end;
    if (rest.length > MAX_ROW_LENGTH) return yield tooLong(row + 1);
  }
  if (!isBlank(rest)) yield await readLine(row + 1, rest);
}

const tooLong = (row: number): FileProblem => ({
  row,
  msg: `The line is longer than ${MAX_ROW_LENGTH} characters; reading stopped here`,
});

/** A single carriage return is the end of a Windows line. */
const isBlank = (line: string): boolean => line.length < 2 && line.trim() === '';

const readLine = async (row: number, line: string): Promise<FileRow | FileProblem> => {
  try {
    const fields = await parsePaced(line);
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
      if (Object.keys(fields).length <= MAX_FIELDS) return { row, fields: { ...fields } };
      return { row, msg: `Has more than ${MAX_FIELDS} fields` };
    }
  } catch {
    return { row, msg: 'Must be JSON' };
  }
  return { row, msg: 'Must be a JSON object' };
};

type Parsed = { info: { records: number; empty_lines: number }; record: string[] };

/** The characters that end the first name of a header. No name contains them. */
const END_OF_NAME = /[,;\t\r\n]/;

/**
 * RFC 4180 with a header of known columns. Cells may also be separated by semicolons, which Excel writes where
 * the comma is the decimal sign, or by tabs, as in its "Unicode Text". A first row such as `sep=;` is
 * skipped, as are blank rows and columns without a name before or after the others. A wrong header, or a row from which on the file is no
 * CSV, ends the file with that problem.
 */
async function* readCsv(
  text: AsyncIterable<string>,
  known: readonly Column[],
): AsyncGenerator<FileRow | FileProblem> {
  let header: Header | undefined;
  const cut: Cut = {};
  const pacer = createPacer();
  const { begin, all } = await readBegin(text, END_OF_NAME);
  const end = END_OF_NAME.exec(begin.trimStart())?.[0];
  const separator = end === ';' || end === '\t' ? end : ',';
  try {
    for await (const { info, record } of openParser(cutAtCells(all, separator, cut), separator)) {
      if (record.every(isBlankCell)) {
        // A file may have very many blank rows, and nothing is awaited for them otherwise.
        if (pacer.isDue()) await pacer.rest();
        continue;
      }
      const row = info.records + info.empty_lines;
      if (header) {
        yield await readRecord(row, header, record);
        continue;
      }
      if (row === 1 && namesSeparator(record)) continue;
      // Spreadsheets capitalise and pad headers.
      const cells = record.map((name) => name.trim().toLowerCase());
      const first = cells.findIndex((name) => name !== '');
      const names = cells.slice(first, cells.findLastIndex((name) => name !== '') + 1);
      const problems = checkHeader(row, names, known);
      yield* problems;
      if (problems.length > 0) return;
      const columns = names.flatMap((name) => known.find((column) => column.name === name) ?? []);
      header = { first, columns, width: record.length };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { row: rowOf(error), msg: `Is not CSV: ${error.message}` };
    return;
  }
  if (!header) yield { row: 1, msg: 'The file has no header' };
  if (cut.row)
    yield { row: cut.row, msg: `Has more than ${MAX_CELLS} cells; reading stopped here` };
}

/** The parser counts the rows before the one that it could not read. */
const rowOf = ({ records, empty_lines }: CsvError): number =>
  Number(records ?? 0) + Number(empty_lines ?? 0) + 1;

/** The maximum of cells in a row. A header with this many also has more problems than are reported. */
const MAX_CELLS = MAX_FIELDS + MAX_HEADER_PROBLEMS;

/** Ends the text at a row with more cells, which would cost as much as the rows of a whole file. Notes the row. */
async function* cutAtCells(
  text: AsyncIterable<string>,
  separator: string,
  cut: Cut,
): AsyncGenerator<string> {
  let [row, cells, isQuoted, before] = [1, 1, false, ''];
  for await (const part of text) {
    for (let at = 0; at < part.length; at += 1) {
      const character = part.charAt(at);
      if (character === '"') isQuoted = !isQuoted;
      else if (!isQuoted && character === separator) cells += 1;
      else if (!isQuoted && (character === '\n' || character === '\r')) {
        if (before + character !== '\r\n') row += 1;
        cells = 1;
      }
      if (cells > MAX_CELLS) {
        cut.row = row;
        yield part.slice(0, at);
        return;
      }
      before = character;
    }
    yield part;
  }
}

type Cut = { row?: number };

const openParser = (text: AsyncIterable<string>, delimiter: string): AsyncIterable<Parsed> => {
  const parser: Parser = parse({
    delimiter,
    bom: true,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_ROW_LENGTH,
    // A row with too few or too many cells is a problem of that row, not the end of the file.
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // The parser rethrows errors of the source.
  return pipeline(Readable.from(text), parser, () => {});
};

const checkHeader = (row: number, names: string[], known: readonly Column[]): FileProblem[] => {
  const columns = new Set(known.map(({ name }) => name));
  const seen = new Set<string>();
  const problems: FileProblem[] = [];
  for (const column of names) {
    if (problems.length === MAX_HEADER_PROBLEMS) {
      return [...problems, { row, msg: `There are ${list(known)}; reading stopped here` }];
    }
    if (!columns.has(column)) {
      problems.push({ row, column, msg: `There is no such column; there are ${list(known)}` });
    } else if (seen.has(column)) problems.push({ row, column, msg: 'The column occurs twice' });
    seen.add(column);
  }
  return problems;
};

const list = (columns: readonly Column[]) => columns.map(({ name }) => name).join(', ');

type Header = {
  /** Index of the first cell with a name. */
  first: number;
  columns: readonly Column[];
  /** Cells with and without a name. */
  width: number;
};

const isBlankCell = (cell: string): boolean => cell.trim() === '';

/** Excel reads such a row as a setting of the file. */
const namesSeparator = ([name, ...others]: readonly string[]): boolean =>
  name?.toLowerCase() === 'sep=' && others.length === 1 && others[0] === '';

const readRecord = async (
  row: number,
  { first, columns, width }: Header,
  cells: readonly string[],
): Promise<FileRow | FileProblem> => {
  if (cells.length !== width) {
    return { row, msg: `Has ${cells.length} cells where the header has ${width}` };
  }
  const unnamed = [...cells.slice(0, first), ...cells.slice(first + columns.length)];
  if (!unnamed.every(isBlankCell)) return { row, msg: 'Has a value in a column without a name' };
  const fields: [string, unknown][] = [];
  for (const [index, { name, type }] of columns.entries()) {
    const value = await readCell(type, cells[first + index] ?? '');
    if (value === undefined) return { row, column: name, msg: 'Must be JSON' };
    fields.push([name, value]);
  }
  return { row, fields: Object.fromEntries(fields) };
};
