// Reads the first sheet of an .xlsx workbook as CSV. The service reads text formats only.
import { ApiFailure } from '../../api/errors.ts';

export const isWorkbook = (name: string): boolean => /\.xlsx$/i.test(name);

/** A workbook of 50,000 rows has some 30 MiB. A small file can unpack to gigabytes. */
const MAX_UNPACKED_BYTES = 256 * 1_048_576;
/** Of a spreadsheet. A file can name any row, and every row above it is written. */
const MAX_ROWS = 1_048_576;
/** Characters: as many bytes as the service accepts. */
const MAX_LENGTH = 64 * 1_048_576;

type Cell = string | number | boolean | Date | null;

export const readWorkbook = async (name: string, bytes: ArrayBuffer): Promise<string> => {
  if (measureUnpacked(bytes) > MAX_UNPACKED_BYTES) throw tooLarge(name);
  const lines: string[] = [];
  let length = 0;
  let width = 0;
  try {
    const { streamXlsxRows } = await import('hucre/xlsx');
    for await (const { index, values } of streamXlsxRows(bytes, { sheet: 0 })) {
      if (index >= MAX_ROWS) throw tooLarge(name);
      // The sheet leaves out empty rows, which count all the same.
      while (lines.length < index) lines.push('');
      // It leaves out empty cells at the end too, and the first row is the header.
      width ||= values.length;
      const missing = values.length === 0 ? 0 : Math.max(0, width - values.length);
      const line = values.map(toCsvCell).join(',') + ','.repeat(missing);
      length += line.length + 1;
      if (length > MAX_LENGTH) throw tooLarge(name);
      lines.push(line);
    }
  } catch (error) {
    if (error instanceof ApiFailure) throw error;
    throw failure(
      `${name} cannot be read as an Excel workbook. Save it as .xlsx without a password.`,
    );
  }
  return lines.join('\n');
};

const tooLarge = (name: string): ApiFailure =>
  failure(`${name} is too large when unpacked. Split it into parts, or save the sheet as CSV.`);

const failure = (desc: string): ApiFailure =>
  new ApiFailure({ code: 'page_error', desc, status: 0 });

const toCsvCell = (cell: Cell): string => {
  const text = cell instanceof Date ? toDate(cell) : String(cell ?? '');
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A date without a time of day is only a date. */
const toDate = (date: Date): string =>
  Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('T00:00:00.000Z', '');

const END_OF_DIRECTORY = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT_LENGTH = 65_535;

/** The sum of the sizes in the directory of a zip file, which unpacking enforces; 0 when it has no directory. */
export const measureUnpacked = (bytes: ArrayBuffer): number => {
  const view = new DataView(bytes);
  const lowest = Math.max(0, view.byteLength - END_LENGTH - MAX_COMMENT_LENGTH);
  let end = view.byteLength - END_LENGTH;
  while (end >= lowest && view.getUint32(end, true) !== END_OF_DIRECTORY) end -= 1;
  if (end < lowest) return 0;
  const entries = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let total = 0;
  for (let entry = 0; entry < entries && at + 46 <= view.byteLength; entry += 1) {
    total += measureEntry(view, at);
    const lengths = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    at += lengths.reduce((sum, part) => sum + part, 46);
  }
  return total;
};

/** Bit 3 of the flags. */
const SIZES_FOLLOW = 8;
/** Bytes: no content, compressed. */
const EMPTY_LENGTH = 2;

/** Unpacking enforces no size when the size is 0, or follows the content. */
const measureEntry = (view: DataView, at: number): number => {
  const size = view.getUint32(at + 24, true);
  if (size > 0) return size;
  const packed = view.getUint32(at + 20, true);
  const follows = packed === 0 && (view.getUint16(at + 8, true) & SIZES_FOLLOW) !== 0;
  return follows || packed > EMPTY_LENGTH ? Number.POSITIVE_INFINITY : 0;
};
