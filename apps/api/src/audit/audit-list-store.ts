// Reads audit records newest first. The text of a statement varies only by which filters are set.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';

export type AuditFilter = {
  accountId?: string | undefined;
  action?: string | undefined;
  sandboxId?: string | undefined;
  /** Leaves out records of other sandboxes than these; those of none stay. */
  sandboxIds?: readonly string[] | undefined;
  /** Contained in the ids that a record names as its target. */
  target?: string | undefined;
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
};

/** Where a page ended. */
export type AuditPosition = { occurredAt: Date; auditId: string };

export type AuditRow = {
  auditId: string;
  occurredAt: Date;
  accountId: string;
  action: string;
  sandboxId: string | null;
  target: Record<string, unknown>;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
  requestId: string | null;
  address: string | null;
};

export type AuditListStore = {
  /** Newest first, those after `after` in that order. */
  list(filter: AuditFilter, after: AuditPosition | null, limit: number): Promise<AuditRow[]>;
  find(auditId: string): Promise<AuditRow | null>;
  /** The different values in the records, in order, the first `limit`. */
  listValues(column: AuditColumn, limit: number): Promise<string[]>;
};

/** Columns with an index of their own and few values. */
export type AuditColumn = 'account_id' | 'action';

export const createAuditListStore = ({ pool }: Pick<Database, 'pool'>): AuditListStore => ({
  list(filter, after, limit) {
    const { text, values } = listStatement(filter, after, limit);
    // Without a name it is planned for its values: whether to walk the time or the index of targets depends on them.
    return runPrepared<AuditRow>(pool, { name: '', text }, values);
  },

  async find(auditId) {
    const [row] = await runPrepared<AuditRow>(pool, FIND, [auditId]);
    return row ?? null;
  },

  async listValues(column, limit) {
    const rows = await runPrepared<{ value: string }>(pool, LIST_VALUES[column], [limit]);
    return rows.map(({ value }) => value);
  },
});

/** Jumps through the index from one value to the next: its cost grows with the values, not with the records. */
const listValuesStatement = (column: AuditColumn) => ({
  name: `audit_values_${column}`,
  text: `WITH RECURSIVE found(value) AS (
  (SELECT ${column} FROM audit_record ORDER BY ${column} LIMIT 1)
  UNION ALL
  SELECT (SELECT ${column} FROM audit_record WHERE ${column} > found.value ORDER BY ${column} LIMIT 1)
  FROM found WHERE found.value IS NOT NULL
)
SELECT value FROM found WHERE value IS NOT NULL LIMIT $1::int`,
});

const LIST_VALUES = {
  account_id: listValuesStatement('account_id'),
  action: listValuesStatement('action'),
};

const COLUMNS = `audit_id AS "auditId", occurred_at AS "occurredAt", account_id AS "accountId", action,
  sandbox_id AS "sandboxId", target, before, after, reason, request_id AS "requestId", address`;

const FIND = {
  name: 'audit_find',
  text: `SELECT ${COLUMNS} FROM audit_record WHERE audit_id = $1::uuid`,
};

export const listStatement = (
  { accountId, action, sandboxId, sandboxIds, target, from, to }: AuditFilter,
  after: AuditPosition | null,
  limit: number,
): { text: string; values: unknown[] } => {
  const values: unknown[] = [];
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const predicates = ['true'];
  if (accountId !== undefined) predicates.push(`account_id = ${bind(accountId, 'text')}`);
  if (action !== undefined) predicates.push(`action = ${bind(action, 'text')}`);
  if (sandboxId !== undefined) predicates.push(`sandbox_id = ${bind(sandboxId, 'uuid')}`);
  if (sandboxIds !== undefined) {
    predicates.push(`(sandbox_id IS NULL OR sandbox_id = ANY (${bind(sandboxIds, 'uuid[]')}))`);
  }
  if (target !== undefined) {
    predicates.push(`target::text LIKE ${bind(toJsonPattern(target), 'text')}`);
  }
  if (from) predicates.push(`occurred_at >= ${bind(from, 'timestamptz')}`);
  if (to) predicates.push(`occurred_at < ${bind(to, 'timestamptz')}`);
  if (after) {
    const position = `(${bind(after.occurredAt, 'timestamptz')}, ${bind(after.auditId, 'uuid')})`;
    predicates.push(`(occurred_at, audit_id) < ${position}`);
  }
  const text = `SELECT ${COLUMNS} FROM audit_record WHERE ${predicates.join(' AND ')}
ORDER BY occurred_at DESC, audit_id DESC LIMIT ${bind(limit, 'int')}`;
  return { text, values };
};

/** LIKE's pattern for "contains", for a text as JSON spells it; `%`, `_` and `\` stand for themselves. */
const toJsonPattern = (contained: string): string => {
  const spelled = JSON.stringify(contained).slice(1, -1);
  return `%${spelled.replace(/[\\%_]/g, '\\$&')}%`;
};
