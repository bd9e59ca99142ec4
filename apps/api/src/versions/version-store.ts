import type { HistoryOperation } from '@muster/contract';
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { VersionFilter } from './version-filter.ts';
import type { Statement, VersionRange, VersionScope } from './version-statements.ts';
import {
  COUNT_LIMIT,
  countStatement,
  FIND_VERSIONS,
  NAMED_RECORDS_LIMIT,
  namedRecordsStatement,
  pageStatement,
  startStatement,
} from './version-statements.ts';

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

/** The range of positions that a walk covers, and the sandbox's versions per kind up to its head. */
type WalkStart = { low: number; high: number; item: number; xp: number };

export type VersionStore = {
  /** Null when there is no such sandbox. */
  startWalk(sandboxId: string, filter: VersionFilter): Promise<WalkStart | null>;
  /** Undefined when the filter has no name, or one that too many records have. */
  findNamedRecords(scope: VersionScope, high: number): Promise<string[] | undefined>;
  /** Undefined when there are more than it is worth to count. */
  countVersions(scope: VersionScope, low: number, high: number): Promise<number | undefined>;
  readPage(scope: VersionScope, range: VersionRange): Promise<VersionSummary[]>;
  /** In the order of the ids; undefined for those that the sandbox does not have. */
  findVersions(sandboxId: string, versionIds: string[]): Promise<(WholeVersion | undefined)[]>;
};

export const createVersionStore = ({ pool }: Pick<Database, 'pool'>): VersionStore => {
  const run = <Row>({ text, values }: Statement) =>
    runPrepared<Row>(pool, { name: '', text }, values);
  return {
    async startWalk(sandboxId, filter) {
      const [start] = await run<WalkStart>(startStatement(sandboxId, filter));
      return start ?? null;
    },

    async findNamedRecords(scope, high) {
      if (!scope.filter.name) return undefined;
      const rows = await run<{ record_id: string }>(namedRecordsStatement(scope, high));
      return rows.length > NAMED_RECORDS_LIMIT ? undefined : rows.map((row) => row.record_id);
    },

    async countVersions(scope, low, high) {
      const [row] = await run<{ count: number }>(countStatement(scope, low, high));
      return row && row.count <= COUNT_LIMIT ? row.count : undefined;
    },

    readPage: (scope, range) => run<VersionSummary>(pageStatement(scope, range)),

    async findVersions(sandboxId, versionIds) {
      const statement = { name: 'versions_by_id', text: FIND_VERSIONS };
      const rows = await runPrepared<WholeVersion>(pool, statement, [sandboxId, versionIds]);
      const byId = new Map(rows.map((row) => [row.version_id, row]));
      return versionIds.map((id) => byId.get(id));
    },
  };
};
