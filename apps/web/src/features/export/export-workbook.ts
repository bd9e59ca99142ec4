// Downloads an export of NDJSON and saves it as an .xlsx workbook. Every cell is text, so that ids and numbers are exact and no text
// is a formula.
import { ApiFailure, readFailure } from '../../api/errors.ts';
import type { ImportKind } from '../import/import-file.ts';
import { createRowReader } from './workbook-rows.ts';

type WorkbookExport = {
  kind: ImportKind;
  /** Of the export as NDJSON. */
  url: string;
  signal: AbortSignal;
  onProgress: (rows: number) => void;
};

/** Characters of a cell. Spreadsheets refuse a workbook with a longer one. */
const MAX_CELL = 32_767;
/** The page stays responsive between steps. */
const ROWS_PER_STEP = 500;

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const exportWorkbook = async (request: WorkbookExport): Promise<void> => {
  const { kind, url, signal, onProgress } = request;
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body) throw await readFailure(response);
  const reader = createRowReader(kind);
  const lines: string[] = [];
  for await (const line of readLines(response.body)) {
    reader.add(line);
    lines.push(line);
    if (lines.length % ROWS_PER_STEP === 0) onProgress(lines.length);
  }
  onProgress(lines.length);
  const header = reader.header();
  const { writeXlsxStream } = await import('hucre/xlsx');
  const toCells = (line: string): string[] => {
    const values = reader.read(line);
    return header.map((name) => checkLength(name, values.get(name) ?? ''));
  };
  const workbook = writeXlsxStream(writeRows(lines, toCells, signal), {
    name: kind === 'item' ? 'Items' : 'Xp tables',
    columns: header.map((name) => ({ header: name, width: 20 })),
    freezePane: { rows: 1 },
  });
  const file = await new Response(workbook).blob();
  signal.throwIfAborted();
  save(nameOf(response), new Blob([file], { type: TYPE }));
};

async function* readLines(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const parts = (rest + value).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}

async function* writeRows(
  lines: readonly string[],
  toCells: (line: string) => string[],
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  for (const [index, line] of lines.entries()) {
    if (index % ROWS_PER_STEP === 0) {
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
    }
    yield toCells(line);
  }
}

const checkLength = (column: string, text: string): string => {
  if (text.length <= MAX_CELL) return text;
  throw new ApiFailure({
    code: 'page_error',
    desc: `A value of ${column} has more than 32,767 characters, which a workbook cannot hold. Export as CSV instead.`,
    status: 0,
  });
};

/** The name that the service gives the file, with another ending. */
const nameOf = (response: Response): string => {
  const [, name = 'export'] =
    /filename="([^"]+)\.ndjson"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return `${name}.xlsx`;
};

const save = (name: string, file: Blob): void => {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
