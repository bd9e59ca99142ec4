// The formats, columns and names of import files.

import { ApiFailure, readFailure } from '../../api/errors.ts';
import type { RecordKind } from '../records/record-kind.ts';

export type ImportKind = RecordKind['kind'];
export type ImportFormat = 'csv' | 'ndjson';

/** Column names of the files, in the order of an export. */
export const COLUMNS: Record<ImportKind, readonly string[]> = {
  item: [
    'item_id',
    'legacy_item_id',
    'name',
    'description',
    'item_type',
    'tags',
    'level_xp_table_id',
    'custom_data',
  ],
  xp: ['xp_id', 'legacy_xp_id', 'name', 'description', 'xp_thresholds', 'custom_data'],
};

export const FORMATS: Record<ImportFormat, string> = { csv: 'CSV', ndjson: 'NDJSON' };

const ENDINGS: [RegExp, ImportFormat][] = [
  // A workbook is sent as CSV.
  [/\.(csv|tsv|txt|xlsx)$/i, 'csv'],
  [/\.(ndjson|jsonl|json)$/i, 'ndjson'],
];

/** Detects the format by the file's name, else by the first character: a line of NDJSON is an object. */
export const recogniseFormat = (name: string, beginning: string): ImportFormat => {
  const byName = ENDINGS.find(([ending]) => ending.test(name))?.[1];
  return byName ?? (/^\uFEFF?\s*[{[]/.test(beginning) ? 'ndjson' : 'csv');
};

type Counted = 'create' | 'update' | 'restore' | 'delete' | 'unchanged';

export type ImportProblem = { row: number; column?: string; msg: string };

/** Problems of one kind in one column. `rows` has the first ten. */
export type ProblemGroup = { column?: string; msg: string; count: number; rows: number[] };

/** By column of the file: a field, a custom data key such as `custom_data.price`, or null to leave it out. */
export type MappedColumns = Readonly<Record<string, string | null>>;

/** Without `field` the column is a problem. */
export type FileColumn = { name: string; field?: string | null };

export const CUSTOM_DATA = 'custom_data.';

export const toMapping = (columns: readonly FileColumn[]): MappedColumns =>
  Object.fromEntries(columns.map(({ name, field = null }) => [name, field]));

/** The response of POST /admin/import, see docs/admin-files.md. */
export type ImportAnswer = {
  counts: Record<Counted, number>;
  /** The first thousand. */
  errors: ImportProblem[];
  error_count: number;
  error_groups: ProblemGroup[];
  /** New records that have the same name as another record, and missing Xp tables. The first 200. */
  warnings: ImportProblem[];
  warning_count: number;
  /** By column. */
  warning_counts: Record<string, number>;
  columns: FileColumn[];
  /** Numbers and booleans in custom data that are imported as text. */
  converted_count: number;
  /** The draft with the changes. Absent when the file has errors, and when nothing would change. */
  change_set_id?: string;
};

export const countChanges = ({ counts }: Pick<ImportAnswer, 'counts'>): number =>
  counts.create + counts.update + counts.restore + counts.delete;

// POST /admin/import with upload progress, which `fetch` does not report.

export type FileRequest = {
  sandbox: string;
  kind: ImportKind;
  format: ImportFormat;
  bytes: Blob;
  query: Readonly<Record<string, string | number | undefined>>;
};

type Watch = {
  signal: AbortSignal;
  /** Bytes sent. Equals the total while the service processes the file. */
  onSent: (bytes: number) => void;
};

const TYPES: Record<ImportFormat, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/** Rejects with an ApiFailure, or with the abort reason of the signal. */
export const sendFile = (request: FileRequest, { signal, onSent }: Watch): Promise<ImportAnswer> =>
  new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('POST', writeUrl(request));
    xhr.setRequestHeader('content-type', TYPES[request.format]);
    xhr.upload.onprogress = ({ loaded }) => onSent(loaded);
    xhr.upload.onload = () => onSent(request.bytes.size);
    xhr.onload = () => void readAnswer(xhr).then(resolve, reject);
    xhr.onerror = () => reject(UNANSWERED);
    xhr.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    if (signal.aborted) reject(signal.reason);
    else xhr.send(request.bytes);
  });

const writeUrl = ({ sandbox, kind, format, query }: FileRequest): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams({ format });
  for (const [name, value] of given) text.set(name, String(value));
  return `/admin/import/${sandbox}/${kind}?${text}`;
};

const readAnswer = async (xhr: XMLHttpRequest): Promise<ImportAnswer> => {
  const headers = new Headers();
  for (const name of ['x-request-id', 'retry-after']) {
    const value = xhr.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  const response = new Response(xhr.responseText, { status: xhr.status, headers });
  if (!response.ok) throw await readFailure(response);
  return response.json();
};

const UNANSWERED = new ApiFailure({
  code: 'unreachable',
  desc: 'The service did not answer. Check the connection; the file is still here.',
  status: 0,
});
