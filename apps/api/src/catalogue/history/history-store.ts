// Reads versions: pages of histories by the cheapest query, the lists of the admin app, and records as of a position.
import type { HistoryOperation } from '@muster/contract';
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { PageRange } from '../pagination.ts';
import type { VersionFilter } from '../records/record-inputs.ts';
import type { HistoryScope } from './history-query.ts';
import type { HistoryRange, Statement } from './history-sql.ts';
import * as historySql from './history-sql.ts';
import type { ExportFilter, NamedRecord, VersionScope } from './version-sql.ts';
import * as versionSql from './version-sql.ts';

/** A pool, or one connection of it. */
type HistoryDatabase = { pool: Parameters<typeof runPrepared>[0] };

export type HistoryRow = {
  seq: number;
  account_id: string;
  transaction_id: string;
  issued_at: Date;
  operation: HistoryOperation;
  version_id: string;
  version_name: string;
  /** Null for versions that do not fit into the page: all from the first of them on. */
  snapshot: string | null;
};

/** The newest position, and the number of matching versions up to it. */
type HistoryStart = { asOf: number; total: number };

export type HistoryStore = {
  start(scope: HistoryScope): Promise<HistoryStart>;
  /** `total` is that of the whole history: it decides which query is the cheaper one. */
  readPage(scope: HistoryScope, range: HistoryRange, total: number): Promise<HistoryRow[]>;
};

const NOTHING: HistoryStart = { asOf: 0, total: 0 };

export const createHistoryStore = ({ pool }: HistoryDatabase): HistoryStore => {
  const run = <Row>({ values, ...statement }: Statement) =>
    runPrepared<Row>(pool, statement, values);
  /** Null when scanning is not cheaper, or when the window did not fill the page. */
  const scan = async (scope: HistoryScope, range: HistoryRange, total: number) => {
    const window = findScanWindow(range, total);
    const name = historySql.nameOnlyFilter(scope.filter);
    if (window === null || name === null) return null;
    const count = historySql.countNamesStatement(scope, name, range.asOf, window + 1);
    const [found] = await run<{ names: number }>(count);
    if ((found?.names ?? 0) <= window) return null;
    const rows = await run<HistoryRow>(historySql.scanStatement(scope, name, range, window));
    return rows.length === range.limit || coversAll(window, range) ? rows : null;
  };
  return {
    async start(scope) {
      const possible = withPossibleIds(scope);
      if (!possible) return NOTHING;
      const [start] = await run<HistoryStart>(historySql.startStatement(possible));
      return start ?? NOTHING;
    },

    async readPage(scope, range, total) {
      const possible = withPossibleIds(scope);
      if (!possible || total === 0) return [];
      const scanned = await scan(possible, range, total);
      if (scanned) return scanned;
      const isMerge = historySql.nameOnlyFilter(possible.filter) !== null && total > FEW_VERSIONS;
      const statement = isMerge ? historySql.mergeStatement : historySql.pageStatement;
      return run<HistoryRow>(statement(possible, range));
    },
  };
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** PostgreSQL rejects ids that are no UUID; by the interface they match nothing. */
const withPossibleIds = (scope: HistoryScope): HistoryScope | null => {
  const recordIds = scope.filter.recordIds?.filter((id) => UUID.test(id));
  if (!recordIds) return scope;
  return recordIds.length === 0 ? null : { ...scope, filter: { ...scope.filter, recordIds } };
};

// The cost of a page by name in index rows, for both queries: the cheaper one is used.

/** A scan reads this many times more than evenly distributed matches would need before it stops. */
const SCAN_MARGIN = 4;

/**
 * How many versions of the kind to scan for a page when `total` of them match. Null when probing each matching record
 * is certainly cheaper: each has a matching version, so there are no more records than matches.
 */
export const findScanWindow = ({ limit, asOf }: HistoryRange, total: number): number | null => {
  const window = Math.ceil((SCAN_MARGIN * limit * asOf) / total);
  return window < total ? window : null;
};

/** True when a scan of this many versions has read the remaining history, so that a short page is complete. */
export const coversAll = (window: number, { low, high }: PageRange): boolean => window > high - low;

/** Reading this few versions is cheaper than finding out which ones the page needs. */
const FEW_VERSIONS = 2_500;

export type VersionSummary = {
  seq: number;
  version_id: string;
  previous_version_id: string | null;
  transaction_id: string;
  kind: 'item' | 'xp';
  record_id: string;
  version: number;
  operation: HistoryOperation;
  account_id: string;
  reason: string | null;
  issued_at: Date;
  name: string;
  changed_fields: string[];
};

export type WholeVersion = VersionSummary & { snapshot: string; hash: Buffer };

export type ExportedVersion = Omit<
  VersionSummary,
  'previous_version_id' | 'kind' | 'record_id' | 'name'
> & { snapshot: string };

/** The values of a version are null when the record did not exist yet. */
export type ExportedRecord = {
  record_id: string;
  created_at: Date;
  version: string | number | null;
  updated_at: Date | null;
  snapshot: string | null;
  deleted: boolean | null;
};

/** A position and the time of its version; null before the first version. */
export type AsOf = { seq: number; issuedAt: Date | null };

export type AsOfRow = {
  record_id: string;
  version: number;
  version_id: string;
  operation: HistoryOperation;
  name: string;
  /** The record now. */
  current_version: number;
  deleted: boolean;
  /** Null for rows that do not fit into the page: all from the first of them on. */
  snapshot: string | null;
};

type AsOfQuery = {
  sandboxId: string;
  kind: 'item' | 'xp';
  asOf: AsOf;
  /** The last id that was read; null at the start. */
  after: string | null;
  /** Pattern for a name that the record had at that position or earlier. */
  pattern: string;
  limit: number;
};

export type VersionStore = {
  /**
   * The range of positions within the times of the filter, and the sandbox's name and versions per kind; null without
   * a sandbox.
   */
  start(
    sandboxId: string,
    filter: Pick<VersionFilter, 'from' | 'to'>,
  ): Promise<{ low: number; high: number; item: number; xp: number; name: string } | null>;
  /** Undefined when the filter has no name, or one that too many records have. */
  findNamedRecords(scope: VersionScope, high: number): Promise<NamedRecord[] | undefined>;
  /** Undefined when counting them would take too long. */
  count(scope: VersionScope, low: number, high: number): Promise<number | undefined>;
  readPage(scope: VersionScope, range: PageRange): Promise<VersionSummary[]>;
  /** Whole versions; names count that were set by `asOf`. */
  exportVersions(
    sandboxId: string,
    filter: ExportFilter,
    range: HistoryRange,
  ): Promise<ExportedVersion[]>;
  /** Records as of then, sorted by id. The filters must still be checked when the record changed later. */
  exportRecords(query: versionSql.ExportQuery): Promise<ExportedRecord[]>;
  /** In the order of the ids; undefined for unknown ones. */
  find(sandboxId: string, versionIds: string[]): Promise<(WholeVersion | undefined)[]>;
  /** The newest position at or before the time or position, the head without either; null without a sandbox. */
  findPosition(
    sandboxId: string,
    moment: { at?: Date | undefined; seq?: number | undefined },
  ): Promise<AsOf | null>;
  /** Records as of then, sorted by id, without those deleted by then. */
  readAsOf(query: AsOfQuery): Promise<AsOfRow[]>;
};

export const createVersionStore = ({ pool }: Pick<Database, 'pool'>): VersionStore => {
  const run = <Row>({ values, ...statement }: Statement) =>
    runPrepared<Row>(pool, statement, values);
  return {
    async start(sandboxId, filter) {
      type Row = { low: number; high: number; item: number; xp: number; name: string };
      const [start] = await run<Row>(versionSql.startStatement(sandboxId, filter));
      return start ?? null;
    },

    async findNamedRecords(scope, high) {
      if (!scope.filter.name) return undefined;
      const records = await run<NamedRecord>(versionSql.namedRecordsStatement(scope, high));
      return records.length > versionSql.NAMED_RECORDS_LIMIT ? undefined : records;
    },

    async count(scope, low, high) {
      const [row] = await run<{ count: number }>(versionSql.countStatement(scope, low, high));
      return row && row.count <= versionSql.COUNT_LIMIT ? row.count : undefined;
    },

    readPage: (scope, range) => run(versionSql.pageStatement(scope, range)),

    exportVersions: (sandboxId, filter, range) =>
      run(versionSql.exportVersionsStatement(sandboxId, filter, range)),

    exportRecords: (query) => run(versionSql.exportRecordsStatement(query)),

    async find(sandboxId, versionIds) {
      const rows = await run<WholeVersion>(versionSql.findStatement(sandboxId, versionIds));
      const byId = new Map(rows.map((row) => [row.version_id, row]));
      return versionIds.map((id) => byId.get(id));
    },

    async findPosition(sandboxId, { at = null, seq = null }) {
      const values = [sandboxId, at, seq];
      const [row] = await run<AsOf>({
        name: 'as_of_position',
        text: versionSql.FIND_POSITION,
        values,
      });
      return row ?? null;
    },

    readAsOf: ({ sandboxId, kind, asOf, after, pattern, limit }) => {
      const name = after === null ? 'as_of_first_records' : 'as_of_records';
      const start = after === null ? [] : [after];
      const values = [sandboxId, kind, asOf.seq, asOf.issuedAt, pattern, limit, ...start];
      return run({ name, text: versionSql.asOfStatement(after), values });
    },
  };
};
