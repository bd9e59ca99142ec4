// Writes an export page by page, each after the reader has taken the previous one.
import type { SerialQueue } from '../flow/index.ts';
import { createSerialQueue, cutText } from '../flow/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { FileFormat, RowWriter } from './file-rows.ts';
import { createRowWriter } from './file-rows.ts';
import type { ExportedVersion, VersionStore } from './history-store.ts';
import { foldName, kindOf, recordColumns, toContainsPattern, VERSION_COLUMNS } from './record.ts';
import type { ExportFilter } from './version-sql.ts';

export type ExportRequest = {
  sandboxId: string;
  kind: 'item' | 'xp';
  format: FileFormat;
  /** The newest position of the export; the head of the sandbox by default. */
  asOf: number | undefined;
} & (
  | { view: 'records'; name: string | undefined; after: string | undefined }
  | { view: 'versions'; filter: Omit<ExportFilter, 'kind'>; after: number | undefined }
);

export type Export = {
  asOf: number;
  contentType: string;
  /** Parts of the file. A reader that stops reading stops the queries. */
  content: AsyncGenerator<string>;
};

export type ExportService = {
  /** Errors: sandbox_not_found, input_invalid (a position beyond the head). */
  open(request: ExportRequest): Promise<Export>;
};

/**
 * Snapshots are mostly 1 kB and at most some hundred: the first page has this many, later ones as many as take a few
 * milliseconds.
 */
const FIRST_PAGE = 20;
const MAX_PAGE = 200;
const PAGE_LENGTH = 131_072;
/** All exports together leave two thirds of the time to other work. */
const REST = 2;

type Snapshots = readonly { snapshot: string | null }[];

const choosePage = (rows: Snapshots): number => {
  const length = rows.reduce((sum, { snapshot }) => sum + (snapshot?.length ?? 0), 1);
  return Math.max(1, Math.min(MAX_PAGE, Math.floor((PAGE_LENGTH * rows.length) / length)));
};

export const createExportService = (store: VersionStore): ExportService => {
  const serialize = createSerialQueue(REST);
  return {
    async open(request) {
      const { sandboxId, kind, format, view } = request;
      const head = (await store.start(sandboxId, {}))?.high;
      if (head === undefined) throw new ServiceError('sandbox_not_found');
      const asOf = request.asOf ?? head;
      if (asOf > head) {
        throw new ServiceError('input_invalid', {
          desc: `as_of is beyond the newest position, ${head}.`,
        });
      }
      const columns = recordColumns(kindOf(kind));
      const writer = createRowWriter(
        format,
        view === 'versions' ? [...VERSION_COLUMNS, ...columns] : columns,
      );
      const pages =
        request.view === 'records'
          ? readRecords(store, { sandboxId, kind, asOf }, request.name, request.after ?? null)
          : readVersions(store, request, asOf);
      const content = writePages(writer, pages, {
        serialize,
        isBeginning: request.after === undefined,
      });
      return { asOf, contentType: writer.contentType, content };
    },
  };
};

/** The rows of a page. */
type ReadRows = () => object[];

/** Characters per write to the connection, which reports only whether all of them were taken. */
const SLICE_LENGTH = 16_384;

/** Later parts have no header: the parts together are one file. */
async function* writePages(
  writer: RowWriter,
  pages: AsyncIterable<ReadRows>,
  { serialize, isBeginning }: { serialize: SerialQueue; isBeginning: boolean },
): AsyncGenerator<string> {
  if (isBeginning && writer.begin() !== '') yield writer.begin();
  for await (const readRows of pages) {
    const part = await serialize(() => writer.write(readRows()));
    yield* cutText(part, SLICE_LENGTH);
  }
}

async function* readRecords(
  store: VersionStore,
  scope: { sandboxId: string; kind: 'item' | 'xp'; asOf: number },
  name: string | undefined,
  start: string | null,
): AsyncGenerator<ReadRows> {
  const folded = foldName(name ?? '');
  const query = { ...scope, pattern: toContainsPattern(folded) };
  let after = start;
  let limit = FIRST_PAGE;
  for (;;) {
    const records = await store.exportRecords({ ...query, after, limit });
    yield () => {
      const existing = records.filter(({ deleted }) => deleted === false);
      const rows = existing.map(({ snapshot }) => JSON.parse(snapshot ?? '{}'));
      return rows.filter((row) => foldName(row.name).includes(folded));
    };
    const last = records.at(-1);
    if (!last || records.length < limit) return;
    after = last.record_id;
    limit = choosePage(records);
  }
}

async function* readVersions(
  store: VersionStore,
  { sandboxId, kind, format, filter, after = 0 }: Extract<ExportRequest, { view: 'versions' }>,
  asOf: number,
): AsyncGenerator<ReadRows> {
  const start = await store.start(sandboxId, filter);
  if (!start) return;
  const high = Math.min(start.high, asOf);
  const range = { order: 'asc' as const, high, asOf };
  let low = Math.max(start.low, after + 1);
  let limit = FIRST_PAGE;
  for (;;) {
    const page = { ...range, low, limit };
    const versions = await store.exportVersions(sandboxId, { ...filter, kind }, page);
    yield () => versions.map((version) => toVersionRow(version, format));
    const last = versions.at(-1);
    if (!last || versions.length < limit) return;
    low = last.seq + 1;
    limit = choosePage(versions);
  }
}

/** NDJSON has the record as `record`; CSV, which is flat, has its columns after those of the version. */
const toVersionRow = (
  { snapshot, reason, issued_at, ...version }: ExportedVersion,
  format: FileFormat,
): object => {
  const record = JSON.parse(snapshot);
  const facts = {
    ...version,
    ...(reason !== null && { reason }),
    issued_at: issued_at.toISOString(),
  };
  return format === 'csv' ? { ...record, ...facts } : { ...facts, record };
};
