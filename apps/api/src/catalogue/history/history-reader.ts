// Reads the history of a sandbox: the public histories, the versions in the admin app, and records as of a position.
import type { HistoryOperation, Item, Xp } from '@muster/contract';
import type { FieldChange } from '@muster/record-diff';
import { diffRecords } from '@muster/record-diff';
import type { SerialQueue } from '../../flow/index.ts';
import { bodyFromJson, createSerialQueue, mapPaced } from '../../flow/index.ts';
import { ServiceError } from '../../platform/index.ts';
import type { Pagination, SortOrder } from '../pagination.ts';
import { cutPage, hasSnapshot, nextRange, PAGE_BYTES, startPagination } from '../pagination.ts';
import { foldName, toContainsPattern } from '../records/record.ts';
import type { VersionFilter } from '../records/record-inputs.ts';
import type { HistoryPosition, HistoryQuery } from './history-query.ts';
import { decodeCursor, encodeCursor } from './history-query.ts';
import type {
  AsOf,
  AsOfRow,
  HistoryRow,
  HistoryStore,
  VersionStore,
  VersionSummary,
  WholeVersion,
} from './history-store.ts';
import type { VersionScope } from './version-sql.ts';

export type HistoryRequest = HistoryQuery & { cursor: string; pageSize: number };

export type HistoryPage<R> = {
  transactions: (Omit<HistoryRow, 'seq' | 'issued_at' | 'snapshot'> & {
    issued_at: string;
    version: R;
  })[];
  page_meta: { cursor?: string; page_size: number; total: number };
};

export type VersionListRequest = {
  sandboxId: string;
  filter: VersionFilter;
  order: SortOrder;
  /** Null on the first page: the list then covers the current versions, unaffected by later writes. */
  pagination: Pagination | null;
  pageSize: number;
};

export type VersionPage = {
  versions: VersionAnswer[];
  /** Null on the last page. */
  next: Pagination | null;
  total: number | undefined;
};

export type VersionAnswer = {
  /** Position in the sandbox. */
  seq: number;
  version_id: string;
  /** The previous version of the same record; absent for its first. */
  previous_version_id?: string;
  transaction_id: string;
  kind: 'item' | 'xp';
  record_id: string;
  /** The number of the version within its record, from 1. */
  version: number;
  operation: HistoryOperation;
  account_id: string;
  reason?: string;
  /** RFC 3339. */
  issued_at: string;
  name: string;
  changed_fields: string[];
};

export type WholeVersionAnswer = VersionAnswer & {
  /** The whole record at that version; for a delete, its last state. */
  record: Item | Xp;
  /** In hexadecimal. */
  hash: string;
};

export type AsOfRequest = {
  sandboxId: string;
  kind: 'item' | 'xp';
  /** At most one of the two; without either, the list is current. */
  at: Date | undefined;
  seq: number | undefined;
  name: string | undefined;
  /** The last record of a page, with the position of the first page. */
  after: { seq: number; recordId: string } | null;
  pageSize: number;
};

export type AsOfPage = {
  records: {
    record: Item | Xp;
    version: number;
    version_id: string;
    operation: HistoryOperation;
    /** The number of its newest version. */
    current_version: number;
    /** Deleted now. */
    deleted?: true;
  }[];
  as_of: { seq: number; issued_at?: string };
  /** Null on the last page. */
  next: { seq: number; recordId: string } | null;
};

export type Reader = {
  /** One page of a public history; null when the cursor does not belong to this query. */
  listHistory<R>(request: HistoryRequest): Promise<HistoryPage<R> | null>;
  /** Errors: sandbox_not_found. */
  listVersions(request: VersionListRequest): Promise<VersionPage>;
  /** Errors: version_not_found. */
  getVersion(sandboxId: string, versionId: string): Promise<WholeVersionAnswer>;
  /** Compares with the previous version unless another is given. Errors: version_not_found, input_invalid (different kinds). */
  diffVersions(
    sandboxId: string,
    fromVersionId: string | undefined,
    toVersionId: string,
  ): Promise<{ from?: VersionAnswer; to: VersionAnswer; changes: FieldChange[] }>;
  /** Sorted by id, without records that were deleted at that time. Errors: sandbox_not_found. */
  listAsOf(request: AsOfRequest): Promise<AsOfPage>;
};

/** A page of a thousand versions, or of wide ones, takes several milliseconds; an ordinary one does not. */
const LARGE_PAGE_LENGTH = 262_144;
/** A large page leaves other requests three times as long as it takes. */
const REST = 3;

export const createReader = (history: HistoryStore, versions: VersionStore): Reader => {
  const serialize = createSerialQueue(REST);
  return {
    listHistory: (request) => listHistory(history, request, serialize),

    listVersions: (request) => listVersions(versions, request),

    getVersion: async (sandboxId, versionId) => {
      const version = requireVersion((await versions.find(sandboxId, [versionId]))[0]);
      const record = JSON.parse(version.snapshot);
      return { ...toVersionAnswer(version), record, hash: version.hash.toString('hex') };
    },

    async diffVersions(sandboxId, fromVersionId, toVersionId) {
      const after = requireVersion((await versions.find(sandboxId, [toVersionId]))[0]);
      const fromId = fromVersionId ?? after.previous_version_id;
      const [from] = fromId === null ? [] : await versions.find(sandboxId, [fromId]);
      const before = fromVersionId === undefined ? from : requireVersion(from);
      if (before && before.kind !== after.kind) {
        throw new ServiceError('input_invalid', {
          desc: 'An Item and an Xp table have no field-by-field difference.',
        });
      }
      return {
        ...(before && { from: toVersionAnswer(before) }),
        to: toVersionAnswer(after),
        changes: diffRecords(
          before ? JSON.parse(before.snapshot) : null,
          JSON.parse(after.snapshot),
        ),
      };
    },

    async listAsOf({ sandboxId, kind, at, seq, name, after, pageSize }) {
      const asOf = await versions.findPosition(sandboxId, after ? { seq: after.seq } : { at, seq });
      if (!asOf) throw new ServiceError('sandbox_not_found');
      const scope = { sandboxId, kind, asOf };
      const start = after?.recordId ?? null;
      const { page, last } = await collectAsOf(versions, scope, name, start, pageSize);
      return {
        records: await mapPaced(page, ({ version, version_id, operation, snapshot, ...row }) => ({
          record: JSON.parse(snapshot),
          version,
          version_id,
          operation,
          current_version: row.current_version,
          ...(row.deleted && { deleted: true as const }),
        })),
        as_of: {
          seq: asOf.seq,
          ...(asOf.issuedAt && { issued_at: asOf.issuedAt.toISOString() }),
        },
        next: last ? { seq: asOf.seq, recordId: last.record_id } : null,
      };
    },
  };
};

const FIRST_PAGE = '0';

const listHistory = async <R>(
  store: HistoryStore,
  { cursor, pageSize, ...query }: HistoryRequest,
  serialize: SerialQueue,
): Promise<HistoryPage<R> | null> => {
  const { sandboxId, kind, filter, order } = query;
  const scope = { sandboxId, kind, filter };
  const state =
    cursor === FIRST_PAGE
      ? toPosition(order, await store.start(scope))
      : decodeCursor(query, cursor);
  if (!state) return null;
  const { position, asOf, total } = state;
  const range = { ...nextRange(order, { position, low: 1, high: asOf }, pageSize), asOf };
  const found = await store.readPage(scope, range, total);
  const { page, last } = cutPage(found, pageSize, hasSnapshot);
  const meta = {
    ...(last && { cursor: encodeCursor(query, { ...state, position: last.seq }) }),
    page_size: pageSize,
    total,
  };
  const write = () => writePage<R>(page, meta);
  const length = page.reduce((sum, { snapshot }) => sum + snapshot.length, 0);
  return length > LARGE_PAGE_LENGTH ? serialize(write) : write();
};

/** A snapshot is the JSON of its record, made of validated fields only. The response contains it unchanged. */
const writePage = <R>(
  page: (HistoryRow & { snapshot: string })[],
  meta: HistoryPage<R>['page_meta'],
): HistoryPage<R> => {
  const transactions = page.map(({ seq: _, issued_at, snapshot, ...row }) => {
    const members = JSON.stringify({ ...row, issued_at: issued_at.toISOString() });
    return `${members.slice(0, -1)},"version":${snapshot}}`;
  });
  const json = `{"transactions":[${transactions.join(',')}],"page_meta":${JSON.stringify(meta)}}`;
  return bodyFromJson(json, ['transactions', 'page_meta']);
};

const toPosition = (
  order: SortOrder,
  { asOf, total }: { asOf: number; total: number },
): HistoryPosition => {
  const { position } = startPagination(order, { low: 1, high: asOf });
  return { position, asOf, total };
};

const listVersions = async (
  store: VersionStore,
  { sandboxId, filter, order, pagination, pageSize }: VersionListRequest,
): Promise<VersionPage> => {
  const state = pagination ?? (await startVersions(store, sandboxId, filter, order));
  const { low, high } = state;
  const namedRecords = await store.findNamedRecords({ sandboxId, filter }, high);
  const scope = { sandboxId, filter, namedRecords };
  const total =
    state.total ?? (pagination ? undefined : await countMatches(store, scope, low, high));
  const found = await store.readPage(scope, nextRange(order, state, pageSize));
  const { page, last } = cutPage(found, pageSize);
  return {
    versions: page.map(toVersionAnswer),
    next: last ? { position: last.seq, low, high, total } : null,
    total,
  };
};

const startVersions = async (
  store: VersionStore,
  sandboxId: string,
  filter: VersionFilter,
  order: SortOrder,
): Promise<Pagination> => {
  const start = await store.start(sandboxId, filter);
  if (!start) throw new ServiceError('sandbox_not_found');
  const { low, high } = start;
  return startPagination(order, { low, high, total: countByCounters(filter, start) });
};

/** The totals that counters provide: of a sandbox, a kind, or a range of time. */
const countByCounters = (
  { kind, from, to, name, ...others }: VersionFilter,
  { low, high, item, xp }: { low: number; high: number; item: number; xp: number },
): number | undefined => {
  if (name || Object.values(others).some((value) => value !== undefined)) return undefined;
  if (kind === undefined) return Math.max(0, high - low + 1);
  if (from !== undefined || to !== undefined) return undefined;
  return { item, xp }[kind];
};

/** A name that too many records have is not counted, since that would read all versions. */
const countMatches = (store: VersionStore, scope: VersionScope, low: number, high: number) =>
  scope.filter.name && !scope.namedRecords ? undefined : store.count(scope, low, high);

const requireVersion = (version: WholeVersion | undefined): WholeVersion => {
  if (!version) throw new ServiceError('version_not_found');
  return version;
};

const toVersionAnswer = (row: VersionSummary): VersionAnswer => ({
  seq: row.seq,
  version_id: row.version_id,
  ...(row.previous_version_id !== null && { previous_version_id: row.previous_version_id }),
  transaction_id: row.transaction_id,
  kind: row.kind,
  record_id: row.record_id,
  version: row.version,
  operation: row.operation,
  account_id: row.account_id,
  ...(row.reason !== null && { reason: row.reason }),
  issued_at: row.issued_at.toISOString(),
  name: row.name,
  changed_fields: row.changed_fields,
});

type WholeAsOfRow = AsOfRow & { snapshot: string };

/** The database finds records that ever had such a name; the version shows whether they had it then. */
const collectAsOf = async (
  store: VersionStore,
  scope: { sandboxId: string; kind: 'item' | 'xp'; asOf: AsOf },
  name: string | undefined,
  start: string | null,
  pageSize: number,
): Promise<{ page: WholeAsOfRow[]; last: WholeAsOfRow | undefined }> => {
  const folded = foldName(name ?? '');
  const pattern = toContainsPattern(folded);
  const matches: WholeAsOfRow[] = [];
  let after = start;
  let bytes = 0;
  for (;;) {
    const rows = await store.readAsOf({ ...scope, after, pattern, limit: pageSize + 1 });
    const { page: read, last: next } = cutPage(rows, pageSize, hasSnapshot);
    for (const row of read) {
      if (!foldName(row.name).includes(folded)) continue;
      matches.push(row);
      bytes += Buffer.byteLength(row.snapshot);
    }
    if (matches.length > pageSize) return cutPage(matches, pageSize);
    if (!next) return { page: matches, last: undefined };
    if (matches.length === pageSize || bytes >= PAGE_BYTES) {
      return { page: matches, last: matches.at(-1) };
    }
    after = next.record_id;
  }
};
