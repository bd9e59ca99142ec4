// Pages of an export, by a keyset that nothing written meanwhile can move.
import type { Database, PreparedStatement } from '@muster/database';
import { runPrepared } from '@muster/database';
import { afterId, foldName, toContainsPattern } from '../catalogue/index.ts';

export type ExportScope = { sandboxId: string; kind: 'item' | 'xp'; asOf: number };

export type VersionFilter = {
  recordId?: string | undefined;
  accountId?: string | undefined;
  operation?: string | undefined;
  transactionId?: string | undefined;
  /** Contained in any name that the record has ever had. */
  name?: string | undefined;
  changedField?: string | undefined;
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
};

/** A record as it was at the position; `snapshot` is null where it did not exist then. */
export type ExportedRecord = { recordId: string; snapshot: string | null; deleted: boolean | null };

export type ExportedVersion = {
  seq: number;
  version_id: string;
  transaction_id: string;
  operation: string;
  version: number;
  account_id: string;
  reason: string | null;
  issued_at: Date;
  changed_fields: string[];
  snapshot: string;
};

export type ExportStore = {
  /** Position of the newest version; null when there is no such sandbox. */
  readHead(sandboxId: string): Promise<number | null>;
  /** By id, after this one, or from the first. The name is the one at the position where that is the newest, and is yet to be checked where not. */
  listRecords(
    scope: ExportScope,
    name: string | undefined,
    after: string | null,
    limit: number,
  ): Promise<ExportedRecord[]>;
  /** By position, after this one. */
  listVersions(
    scope: ExportScope,
    filter: VersionFilter,
    after: number,
    limit: number,
  ): Promise<ExportedVersion[]>;
};

export const createExportStore = ({ pool }: Pick<Database, 'pool'>): ExportStore => ({
  async readHead(sandboxId) {
    const rows = await runPrepared<{ head_seq: number }>(pool, READ_HEAD, [sandboxId]);
    return rows[0]?.head_seq ?? null;
  },
  listRecords: ({ sandboxId, kind, asOf }, name, after, limit) => {
    const pattern = toContainsPattern(foldName(name ?? ''));
    const values = [sandboxId, kind, asOf, pattern, limit, ...(after === null ? [] : [after])];
    return runPrepared(pool, recordStatement(after), values);
  },
  listVersions: (scope, filter, after, limit) => {
    const { text, values } = versionStatement(scope, filter, after, limit);
    // Without a name it is planned for its values: which index is right depends on the filters that are set.
    return runPrepared(pool, { name: '', text }, values);
  },
});

const READ_HEAD = {
  name: 'export_head',
  text: 'SELECT head_seq FROM sandbox WHERE sandbox_id = $1::uuid',
};

/** $1 sandbox, $2 kind, $3 as of, $4 pattern, $5 limit; then the last id. */
const recordStatement = (after: string | null): PreparedStatement => ({
  name: after === null ? 'export_first_records' : 'export_records',
  text: `SELECT r.record_id AS "recordId", CASE WHEN r.head_seq <= $3::bigint THEN r.snapshot ELSE v.snapshot END AS snapshot,
  CASE WHEN r.head_seq <= $3::bigint THEN r.deleted ELSE v.operation = 'delete' END AS deleted
FROM (
  SELECT * FROM catalogue_record
  WHERE sandbox_id = $1::uuid AND kind = $2 ${afterId('record_id', '$6', after)}
    AND (head_seq > $3::bigint OR folded_name LIKE $4)
  ORDER BY record_id LIMIT $5::int
) r
LEFT JOIN LATERAL (
  SELECT o.snapshot, o.operation FROM catalogue_version o
  WHERE r.head_seq > $3::bigint AND o.sandbox_id = r.sandbox_id AND o.kind = r.kind AND o.record_id = r.record_id
    AND o.seq <= $3::bigint
  ORDER BY o.seq DESC LIMIT 1
) v ON true
ORDER BY r.record_id`,
});

const versionStatement = (
  { sandboxId, kind, asOf }: ExportScope,
  filter: VersionFilter,
  after: number,
  limit: number,
): { text: string; values: unknown[] } => {
  const values: unknown[] = [sandboxId, kind];
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const predicates = [
    `v.sandbox_id = $1::uuid AND v.kind = $2`,
    `v.seq > ${bind(after, 'bigint')} AND v.seq <= ${bind(asOf, 'bigint')}`,
  ];
  const equal = (column: string, value: string | undefined, type: string) => {
    if (value !== undefined) predicates.push(`v.${column} = ${bind(value, type)}`);
  };
  equal('record_id', filter.recordId, 'uuid');
  equal('account_id', filter.accountId, 'text');
  equal('operation', filter.operation, 'text');
  equal('transaction_id', filter.transactionId, 'uuid');
  if (filter.changedField !== undefined) {
    predicates.push(`${bind(filter.changedField, 'text')} = ANY (v.changed_fields)`);
  }
  if (filter.from) predicates.push(`v.issued_at >= ${bind(filter.from, 'timestamptz')}`);
  if (filter.to) predicates.push(`v.issued_at < ${bind(filter.to, 'timestamptz')}`);
  if (filter.name) {
    const pattern = bind(toContainsPattern(foldName(filter.name)), 'text');
    predicates.push(`v.record_id IN (SELECT n.record_id FROM catalogue_name n
WHERE n.sandbox_id = $1::uuid AND n.kind = $2 AND n.folded_name LIKE ${pattern} AND n.first_seq <= ${bind(asOf, 'bigint')})`);
  }
  const text = `SELECT v.seq, v.version_id, v.transaction_id, v.operation, v.version, v.account_id, v.reason, v.issued_at,
  v.changed_fields, v.snapshot
FROM catalogue_version v WHERE ${predicates.join(' AND ')} ORDER BY v.seq LIMIT ${bind(limit, 'int')}`;
  return { text, values };
};
