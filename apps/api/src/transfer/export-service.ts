// Writes an export page by page, each when the reader has taken the one before.
import { foldName } from '../catalogue/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ExportedVersion, ExportScope, ExportStore, VersionFilter } from './export-store.ts';
import { kindOf, recordColumns, VERSION_COLUMNS } from './record-columns.ts';
import type { FileFormat, RowWriter } from './write-rows.ts';
import { createRowWriter } from './write-rows.ts';

export type ExportRequest = {
  sandboxId: string;
  kind: 'item' | 'xp';
  format: FileFormat;
  /** The newest position that counts; the head of the sandbox by default. */
  asOf: number | undefined;
} & (
  | { view: 'records'; name: string | undefined; after: string | undefined }
  | { view: 'versions'; filter: VersionFilter; after: number | undefined }
);

export type Export = {
  asOf: number;
  contentType: string;
  /** Parts of the file; a reader that stops taking them stops the queries. */
  content: AsyncGenerator<string>;
};

export type ExportService = {
  /** Errors: sandbox_not_found, input_invalid (a position beyond the head). */
  open(request: ExportRequest): Promise<Export>;
};

/** Snapshots are 1 kB mostly and 300 kB at most: what a page holds in memory. */
const PAGE = 200;

export const createExportService = (store: ExportStore): ExportService => ({
  async open(request) {
    const { sandboxId, kind, format, view } = request;
    const head = await store.readHead(sandboxId);
    if (head === null) throw new ServiceError('sandbox_not_found');
    const asOf = request.asOf ?? head;
    if (asOf > head) {
      throw new ServiceError('input_invalid', {
        desc: `as_of is beyond the newest position, ${head}.`,
      });
    }
    const scope = { sandboxId, kind, asOf };
    const columns = recordColumns(kindOf(kind));
    const writer = createRowWriter(
      format,
      view === 'versions' ? [...VERSION_COLUMNS, ...columns] : columns,
    );
    const pages =
      request.view === 'records'
        ? readRecords(store, scope, request.name, request.after ?? null)
        : readVersions(store, scope, request.filter, request.after ?? 0, format);
    const content = writePages(writer, pages, request.after === undefined);
    return { asOf, contentType: writer.contentType, content };
  },
});

/** What continues an earlier part has no header of its own: the parts together are one file. */
async function* writePages(
  writer: RowWriter,
  pages: AsyncIterable<object[]>,
  isBeginning: boolean,
): AsyncGenerator<string> {
  if (isBeginning && writer.begin() !== '') yield writer.begin();
  for await (const rows of pages) {
    const part = writer.write(rows);
    if (part !== '') yield part;
  }
}

async function* readRecords(
  store: ExportStore,
  scope: ExportScope,
  name: string | undefined,
  start: string | null,
): AsyncGenerator<object[]> {
  const folded = foldName(name ?? '');
  let after = start;
  for (;;) {
    const records = await store.listRecords(scope, name, after, PAGE);
    const existing = records.filter(({ deleted }) => deleted === false);
    const rows = existing.map(({ snapshot }) => JSON.parse(snapshot ?? '{}'));
    yield rows.filter((row) => foldName(row.name).includes(folded));
    const last = records.at(-1);
    if (!last || records.length < PAGE) return;
    after = last.recordId;
  }
}

async function* readVersions(
  store: ExportStore,
  scope: ExportScope,
  filter: VersionFilter,
  start: number,
  format: FileFormat,
): AsyncGenerator<object[]> {
  let after = start;
  for (;;) {
    const versions = await store.listVersions(scope, filter, after, PAGE);
    yield versions.map((version) => toVersionRow(version, format));
    const last = versions.at(-1);
    if (!last || versions.length < PAGE) return;
    after = last.seq;
  }
}

/** NDJSON keeps the record apart as `record`; CSV, which is flat, has its columns after those of the version. */
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
