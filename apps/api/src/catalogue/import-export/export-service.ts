// Writes an export page by page, each after the reader has taken the previous one.
import type { Item, RecordWhere } from '@muster/contract';
import { CUSTOM_FIELD } from '@muster/contract';
import type { SerialQueue } from '../../flow/index.ts';
import { createSerialQueue, cutText } from '../../flow/index.ts';
import { ServiceError } from '../../platform/index.ts';
import type { ExportedRecord, ExportedVersion, VersionStore } from '../history/history-store.ts';
import type { ExportFilter } from '../history/version-sql.ts';
import type { FilteredRecord } from '../lists/where-rules.ts';
import { matchesWhere } from '../lists/where-rules.ts';
import {
  foldName,
  kindOf,
  recordColumns,
  toContainsPattern,
  VERSION_COLUMNS,
} from '../records/record.ts';
import type { FileFormat, RowWriter } from './row-writer.ts';
import { createRowWriter } from './row-writer.ts';

export type ExportRequest = {
  sandboxId: string;
  kind: 'item' | 'xp';
  format: FileFormat;
  /** The newest position of the export; the head of the sandbox by default. */
  asOf: number | undefined;
} & (
  | {
      view: 'records';
      filter: ExportedFilter;
      after: string | undefined;
    }
  | { view: 'versions'; filter: Omit<ExportFilter, 'kind'>; after: number | undefined }
);

/** The filters of the list of records; deleted ones are never exported. */
type ExportedFilter = {
  name: string | undefined;
  itemType: string | undefined;
  tag: string | undefined;
  customKey: string | undefined;
  where: RecordWhere | undefined;
};

export type Export = {
  asOf: number;
  sandboxName: string;
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
      const start = await store.start(sandboxId, {});
      if (!start) throw new ServiceError('sandbox_not_found');
      const head = start.high;
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
          ? readRecords(store, request, asOf)
          : readVersions(store, request, asOf);
      const content = writePages(writer, pages, {
        serialize,
        isBeginning: request.after === undefined,
      });
      return { asOf, sandboxName: start.name, contentType: writer.contentType, content };
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
  { sandboxId, kind, filter, after: start }: Extract<ExportRequest, { view: 'records' }>,
  asOf: number,
): AsyncGenerator<ReadRows> {
  const pattern = toContainsPattern(foldName(filter.name ?? ''));
  const query = { sandboxId, kind, asOf, pattern, where: toWhere(filter) };
  let after = start ?? null;
  let limit = FIRST_PAGE;
  for (;;) {
    const records = await store.exportRecords({ ...query, after, limit });
    yield () => {
      const existing = records.filter(({ deleted }) => deleted === false);
      return existing
        .map(toFilteredRecord)
        .filter((record) => matchesFilter(filter, record))
        .map(({ fields }) => fields);
    };
    const last = records.at(-1);
    if (!last || records.length < limit) return;
    after = last.record_id;
    limit = choosePage(records);
  }
}

/** All filters as one by value, which may match more: it ignores the case of a tag. */
const toWhere = ({ itemType, tag, customKey, where }: ExportedFilter): RecordWhere | undefined => {
  const and = [...(where?.and ?? [])];
  if (itemType !== undefined) and.push({ field: 'item_type', op: 'eq', value: itemType });
  if (tag !== undefined) and.push({ field: 'tags', op: 'has', value: tag });
  if (customKey !== undefined) and.push({ field: CUSTOM_FIELD + customKey, op: 'is_not_empty' });
  return and.length === 0 ? where : { ...where, and };
};

const matchesFilter = (filter: ExportedFilter, record: FilteredRecord): boolean => {
  const { name = '', itemType, tag, customKey, where } = filter;
  const fields = record.fields as Partial<Item>;
  return (
    foldName(fields.name ?? '').includes(foldName(name)) &&
    (itemType === undefined || fields.item_type === itemType) &&
    (tag === undefined || fields.tags?.includes(tag) === true) &&
    (customKey === undefined || Object.hasOwn(fields.custom_data ?? {}, customKey)) &&
    (where === undefined || matchesWhere(where, record))
  );
};

const toFilteredRecord = ({
  snapshot,
  version,
  created_at,
  updated_at,
}: ExportedRecord): FilteredRecord => ({
  fields: JSON.parse(snapshot ?? '{}'),
  version: Number(version),
  created: created_at,
  updated: updated_at ?? created_at,
});

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
