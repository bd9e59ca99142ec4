// The bytes of an uploaded file as rows.
import { pipeline, Readable } from 'node:stream';
import type { Parser } from 'csv-parse';
import { CsvError, parse } from 'csv-parse';
import { createPacer, parsePaced } from '../../flow/index.ts';
import type { Column } from '../records/record.ts';
import { fromCell, readCell } from './csv-cells.ts';
import { readWritten } from './custom-data-texts.ts';
import type { Bytes } from './decode-file.ts';
import { decode } from './decode-file.ts';
import type { ColumnTarget, FileColumns } from './file-columns.ts';
import { nameTarget } from './file-columns.ts';
import type { FileFormat } from './row-writer.ts';
import { splitJsonArray } from './split-json-array.ts';

/** One row of an imported file, as written; the schemas have not checked it. */
export type FileRow = {
  /** Counted like a spreadsheet or an editor, from 1; the header of a CSV file is row 1. */
  row: number;
  fields: Record<string, unknown>;
  /** Single keys of custom data; null removes the key. */
  keys?: Record<string, string | null>;
  /** The number of custom data values that became text. */
  converted?: number;
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

/** Errors during reading: input_invalid (the encoding). */
export const readFile = (format: FileFormat, bytes: Bytes, columns: FileColumns): FileRows => {
  const text = decode(bytes);
  return format === 'csv'
    ? { meaning: 'columns', entries: readCsv(text, columns) }
    : { meaning: 'whole', entries: readJson(text, columns) };
};

/** One JSON array of records when the file begins with a bracket, otherwise NDJSON. */
async function* readJson(
  text: AsyncIterable<string>,
  columns: FileColumns,
): AsyncGenerator<FileRow | FileProblem> {
  const { begin, all } = await readBegin(text, /\S/);
  if (!begin.trimStart().startsWith('[')) return yield* readNdjson(all, columns);
  for await (const piece of splitJsonArray(all, MAX_ROW_LENGTH)) {
    yield 'msg' in piece ? piece : await readLine(piece.row, piece.text, columns);
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
async function* readNdjson(
  text: AsyncIterable<string>,
  columns: FileColumns,
): AsyncGenerator<FileRow | FileProblem> {
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
      if (!isBlank(line)) yield await readLine(row, line, columns);
      else if (pacer.isDue()) await pacer.rest();
    }
    rest += lines.at(-1) ?? end;
    if (rest.length > MAX_ROW_LENGTH) return yield tooLong(row + 1);
  }
  if (!isBlank(rest)) yield await readLine(row + 1, rest, columns);
}

const tooLong = (row: number): FileProblem => ({
  row,
  msg: `The line is longer than ${MAX_ROW_LENGTH} characters; reading stopped here`,
});

/** A single carriage return is the end of a Windows line. */
const isBlank = (line: string): boolean => line.length < 2 && line.trim() === '';

const readLine = async (
  row: number,
  line: string,
  columns: FileColumns,
): Promise<FileRow | FileProblem> => {
  let given: unknown;
  try {
    given = await parsePaced(line);
  } catch {
    return { row, msg: 'Must be JSON' };
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { row, msg: 'Must be a JSON object' };
  }
  if (Object.keys(given).length > MAX_FIELDS) {
    return { row, msg: `Has more than ${MAX_FIELDS} fields` };
  }
  return readFields(row, line, given, columns);
};

const readFields = async (
  row: number,
  line: string,
  given: object,
  columns: FileColumns,
): Promise<FileRow | FileProblem> => {
  const written = readWritten(line);
  const fields = new Map<string, unknown>();
  const keys = new Map<string, string | null>();
  let converted = 0;
  for (const [name, value] of Object.entries(given)) {
    const target = columns.find(name);
    if (target === 'ignored') continue;
    if (target === undefined) {
      // The rules refuse it.
      fields.set(name, value);
    } else if ('key' in target) {
      const text = await written.toText(value, name);
      if (text === undefined)
        return { row, column: name, msg: 'Must be text, a number or a boolean' };
      if (keys.has(target.key)) return { row, column: name, msg: OCCURS_TWICE };
      if (typeof value !== 'string' && text !== null) converted += 1;
      // A game finds a missing key where other text is empty.
      keys.set(target.key, text === '' ? null : text);
    } else {
      const field = target.column.name;
      if (fields.has(field)) return { row, column: name, msg: OCCURS_TWICE };
      if (field === 'custom_data') {
        const texts = await written.toTexts(value, name);
        converted += texts.converted;
        fields.set(field, texts.value);
      } else fields.set(field, value);
    }
  }
  return toRow(row, Object.fromEntries(fields), Object.fromEntries(keys), converted);
};

const OCCURS_TWICE = 'The column occurs twice';

const toRow = (
  row: number,
  fields: FileRow['fields'],
  keys: Record<string, string | null>,
  converted: number,
): FileRow => ({
  row,
  fields,
  ...(Object.keys(keys).length > 0 && { keys }),
  ...(converted > 0 && { converted }),
});

type Parsed = { info: { records: number; empty_lines: number }; record: string[] };

const SEPARATORS = [',', ';', '\t'] as const;
type Separator = (typeof SEPARATORS)[number];

/** The separator that a first row such as `sep=;` names, otherwise the most frequent one outside of quotes in the header. */
const findSeparator = (begin: string): Separator => {
  const text = begin.trimStart();
  const end = text.search(/[\r\n]/);
  const first = end === -1 ? text : text.slice(0, end);
  const named = /^"?sep=(.)"?/i.exec(first)?.[1];
  const header = first.replace(/"[^"]*"/g, '');
  const count = (separator: string) => header.split(separator).length;
  const [most = ','] = SEPARATORS.toSorted((a, b) => count(b) - count(a));
  return SEPARATORS.find((separator) => separator === named) ?? most;
};

/**
 * RFC 4180 with a header of known columns. Cells may also be separated by semicolons, which Excel writes where
 * the comma is the decimal sign, or by tabs, as in its "Unicode Text". A first row such as `sep=;` is
 * skipped, as are blank rows and columns without a name before or after the others. A wrong header, or a row from which on the file is no
 * CSV, ends the file with that problem.
 */
async function* readCsv(
  text: AsyncIterable<string>,
  columns: FileColumns,
): AsyncGenerator<FileRow | FileProblem> {
  let hasRows = false;
  let header: Header | undefined;
  const cut: Cut = {};
  const pacer = createPacer();
  const { begin, all } = await readBegin(text, /[\r\n]/);
  const separator = findSeparator(begin);
  try {
    for await (const { info, record } of openParser(cutAtCells(all, separator, cut), separator)) {
      if (record.every(isBlankCell)) {
        // A file may have very many blank rows, and nothing is awaited for them otherwise.
        if (pacer.isDue()) await pacer.rest();
        continue;
      }
      const row = info.records + info.empty_lines;
      if (header) {
        hasRows = true;
        yield await readRecord(row, header, record);
        continue;
      }
      if (row === 1 && namesSeparator(record)) continue;
      // Spreadsheets capitalise and pad headers.
      const cells = record.map((name) => name.trim());
      const first = cells.findIndex((name) => name !== '');
      const names = cells.slice(first, cells.findLastIndex((name) => name !== '') + 1);
      const problems = checkHeader(row, names, columns);
      yield* problems;
      if (problems.length > 0) return;
      const targets = names.flatMap((name) => columns.find(name) ?? []);
      header = { row, first, targets, width: record.length };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { row: rowOf(error), msg: `Is not CSV: ${error.message}` };
    return;
  }
  if (!header) yield { row: 1, msg: 'The file has no header' };
  else if (!hasRows && !cut.row)
    yield { row: header.row, msg: 'The file has a header but no rows' };
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

const checkHeader = (row: number, names: string[], columns: FileColumns): FileProblem[] => {
  const seen = new Set<string>();
  const problems: FileProblem[] = [];
  const known = columns.known.map(({ name }) => name).join(', ');
  for (const column of names) {
    if (problems.length === MAX_HEADER_PROBLEMS) {
      return [...problems, { row, msg: `There are ${known}; reading stopped here` }];
    }
    const target = columns.find(column);
    const field = target === undefined ? column : nameTarget(target);
    if (target === undefined) {
      problems.push({ row, column, msg: `There is no such column; there are ${known}` });
    } else if (field !== null && seen.has(field)) {
      problems.push({ row, column, msg: OCCURS_TWICE });
    }
    if (field !== null) seen.add(field);
  }
  return problems;
};

type Header = {
  row: number;
  /** Index of the first cell with a name. */
  first: number;
  targets: readonly ColumnTarget[];
  /** Cells with and without a name. */
  width: number;
};

const isBlankCell = (cell: string): boolean => cell.trim() === '';

/** Excel reads such a row as a setting of the file. */
const namesSeparator = ([name, ...others]: readonly string[]): boolean =>
  /^sep=.?$/i.test(name ?? '') && others.every(isBlankCell);

const readRecord = async (
  row: number,
  { first, targets, width }: Header,
  cells: readonly string[],
): Promise<FileRow | FileProblem> => {
  if (cells.length < width || !cells.slice(width).every(isBlankCell)) {
    return { row, msg: `Has ${cells.length} cells where the header has ${width}` };
  }
  const unnamed = [...cells.slice(0, first), ...cells.slice(first + targets.length)];
  if (!unnamed.every(isBlankCell)) return { row, msg: 'Has a value in a column without a name' };
  const fields: [string, unknown][] = [];
  const keys: [string, string | null][] = [];
  let converted = 0;
  for (const [index, target] of targets.entries()) {
    const cell = cells[first + index] ?? '';
    if (target === 'ignored') continue;
    if ('key' in target) {
      keys.push([target.key, (fromCell('text', cell) as string | null) || null]);
      continue;
    }
    const value = await readField(target.column, cell);
    if (value === undefined) return { row, column: target.column.name, msg: 'Must be JSON' };
    converted += value.converted;
    fields.push([target.column.name, value.value]);
  }
  return toRow(row, Object.fromEntries(fields), Object.fromEntries(keys), converted);
};

const readField = async ({ name, type }: Column, cell: string) => {
  const value = await readCell(type, cell);
  if (value === undefined) return undefined;
  return name === 'custom_data' ? readWritten(cell).toTexts(value) : { value, converted: 0 };
};
