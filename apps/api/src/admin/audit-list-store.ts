// Audit records in the database, and the names of their targets.
import { Uuid } from '@muster/contract';
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import { hasRoom } from '../catalogue/index.ts';

/** The filter of a caller who is narrowed to sandboxes. */
export type AuditScope = { sandboxIds: readonly string[]; accountId: string };

export type AuditFilter = {
  accountId?: string | undefined;
  action?: string | undefined;
  sandboxId?: string | undefined;
  /** Only records of these sandboxes, by this account or about it; absent: all records. */
  scope?: AuditScope | undefined;
  /** Text contained in the target ids of a record. */
  target?: string | undefined;
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
};

/** The last row of a page. */
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

/** A record of a list. It includes the changed values while the page has room for them. */
export type ListedAuditRow =
  | (AuditRow & { fits: true })
  | (Omit<AuditRow, 'target' | 'before' | 'after'> & { fits: false });

/** Columns with their own index and few values. */
type AuditColumn = 'account_id' | 'action';

export type AuditStore = ReturnType<typeof createAuditStore>;

export const createAuditStore = ({ pool, shards }: Pick<Database, 'pool' | 'shards'>) => ({
  /** Newest first, the `limit` records after the position `after`. */
  list(filter: AuditFilter, after: AuditPosition | null, limit: number): Promise<ListedAuditRow[]> {
    const { text, values } = listStatement(filter, after, limit);
    // Unnamed, so that PostgreSQL plans for the values, which decide between the index of times and that of targets.
    return runPrepared<ListedAuditRow>(pool, { name: '', text }, values);
  },

  async find(auditId: string): Promise<AuditRow | null> {
    const [row] = await runPrepared<AuditRow>(pool, FIND, [auditId]);
    return row ?? null;
  },

  /** The first `limit` distinct values, sorted. */
  async listValues(column: AuditColumn, limit: number): Promise<string[]> {
    if (shards > 1) return listValuesAcross(pool, column, limit);
    const rows = await runPrepared<{ value: string }>(pool, LIST_VALUES[column], [limit]);
    return rows.map(({ value }) => value);
  },

  /**
   * The name of each record's target, in the order of the rows; null when it has none or was removed. One statement per
   * page, by primary keys only. Includes names of people other than `viewer` only with `seesPeople`.
   */
  async findTargetNames(
    rows: readonly AuditRow[],
    { accountId, seesPeople }: { accountId: string; seesPeople: boolean },
  ): Promise<(string | null)[]> {
    const references = rows.map(toReference);
    const wanted = references.filter((reference) => reference !== null);
    if (wanted.length === 0) return rows.map(nameSession);
    const viewer = [seesPeople, accountId] as const;
    const found =
      shards > 1 ? await findAcross(pool, wanted, viewer) : await findNames(pool, wanted, viewer);
    const names = new Map(found.map((each) => [toKey(each), each.name]));
    return rows.map((row, index) => {
      const reference = references[index];
      return reference ? (names.get(toKey(reference)) ?? null) : nameSession(row);
    });
  },
});

/** A loose index scan: its cost grows with the number of values, not of records. */
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

/** Citus does not support recursion over all nodes, so each step is its own statement. */
const listValuesAcross = async (
  pool: Database['pool'],
  column: AuditColumn,
  limit: number,
): Promise<string[]> => {
  const values: string[] = [];
  const statement = {
    name: `audit_next_${column}`,
    text: `SELECT ${column} AS value FROM audit_record WHERE ${column} > $1::text ORDER BY ${column} LIMIT 1`,
  };
  while (values.length < limit) {
    const [row] = await runPrepared<{ value: string }>(pool, statement, [values.at(-1) ?? '']);
    if (!row) break;
    values.push(row.value);
  }
  return values;
};

const LIST_VALUES = {
  account_id: listValuesStatement('account_id'),
  action: listValuesStatement('action'),
};

export const AUDIT_COLUMNS = `audit_id AS "auditId", occurred_at AS "occurredAt", account_id AS "accountId", action,
  sandbox_id AS "sandboxId", target, before, after, reason, request_id AS "requestId", address`;

const FIND = {
  name: 'audit_find',
  text: `SELECT ${AUDIT_COLUMNS} FROM audit_record WHERE audit_id = $1::uuid`,
};

/** A record of a bulk edit has up to a thousand targets. The record that exceeds the limit is the last one of its page. */
const PAGE_BYTES = 2 * 1_048_576;

const CONTENTS = ['target', 'before', 'after'] as const;
const CONTENT_BYTES = CONTENTS.map((column) => `COALESCE(octet_length(${column}::text), 0)`);
const IN_ORDER = '"occurredAt" DESC, "auditId" DESC';

/** The rows of a list, without the contents that do not fit into the page. */
const withinBytes = (list: string): string => `
SELECT "auditId", "occurredAt", "accountId", action, "sandboxId", reason, "requestId", address, fits,
  ${CONTENTS.map((column) => `CASE WHEN fits THEN ${column} END AS ${column}`).join(', ')}
FROM (SELECT *, ${hasRoom(CONTENT_BYTES.join(' + '), IN_ORDER, PAGE_BYTES)} AS fits FROM (${list}) found) page
ORDER BY ${IN_ORDER}`;

export const listStatement = (
  { accountId, action, sandboxId, scope, target, from, to }: AuditFilter,
  after: AuditPosition | null,
  limit: number,
): { text: string; values: unknown[] } => {
  const values: unknown[] = [];
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const predicates = ['true'];
  if (accountId !== undefined) predicates.push(`account_id = ${bind(accountId, 'text')}`);
  if (action !== undefined) predicates.push(`action = ${bind(action, 'text')}`);
  if (sandboxId !== undefined) predicates.push(`sandbox_id = ${bind(sandboxId, 'uuid')}`);
  if (target !== undefined) {
    // UUIDs are stored in one form, but the id of a session may look like another form.
    const spellings = new Set([target, readUuid(target.trim()) ?? target]);
    const contains = (text: string) => `target::text LIKE ${bind(toJsonPattern(text), 'text')}`;
    predicates.push(`(${[...spellings].map(contains).join(' OR ')})`);
  }
  if (from) predicates.push(`occurred_at >= ${bind(from, 'timestamptz')}`);
  if (to) predicates.push(`occurred_at < ${bind(to, 'timestamptz')}`);
  if (after) {
    const position = `(${bind(after.occurredAt, 'timestamptz')}, ${bind(after.auditId, 'uuid')})`;
    predicates.push(`(occurred_at, audit_id) < ${position}`);
  }
  const order = `ORDER BY occurred_at DESC, audit_id DESC LIMIT ${bind(limit, 'int')}`;
  const select = (more: string) =>
    `SELECT ${AUDIT_COLUMNS} FROM audit_record WHERE ${[...predicates, more].join(' AND ')} ${order}`;
  if (!scope) return { text: withinBytes(select('true')), values };
  const self = bind(scope.accountId, 'text');
  // Each part has its own index, which one condition with three alternatives would not use.
  const parts = [
    `sandbox_id = ANY (${bind(scope.sandboxIds, 'uuid[]')})`,
    `account_id = ${self}`,
    `target::text LIKE ${bind(toJsonPattern(scope.accountId), 'text')} AND target->>'account_id' = ${self}`,
  ].map((part) => `(${select(part)})`);
  const text = `SELECT * FROM (
  SELECT DISTINCT ON ("auditId") * FROM (${parts.join(' UNION ALL ')}) parts ORDER BY "auditId"
) found ORDER BY ${IN_ORDER} LIMIT ${bind(limit, 'int')}`;
  return { text: withinBytes(text), values };
};

/** The LIKE pattern for "contains" of a text in its JSON spelling, with `%`, `_` and `\` escaped. */
const toJsonPattern = (contained: string): string => {
  const spelled = JSON.stringify(contained).slice(1, -1);
  return `%${spelled.replace(/[\\%_]/g, '\\$&')}%`;
};

/** Identifies the name of a target. Items, Xp tables and change sets are found within their sandbox. */
type Reference = {
  kind: 'item' | 'xp' | 'change_set' | 'key' | 'account' | 'player' | 'sandbox';
  sandboxId: string | null;
  id: string;
};
type FoundName = Reference & { name: string };

const toKey = ({ kind, sandboxId, id }: Reference): string => `${kind} ${sandboxId} ${id}`;

/** Sessions and their types have no name other than their id. */
const nameSession = ({ target: { type, session_id: sessionId } }: AuditRow): string | null => {
  if (typeof type !== 'string') return null;
  return typeof sessionId === 'string' ? `${type}/${sessionId}` : type;
};

/** The most specific part of a target: a key rather than its account. Null when there is nothing to look up. */
const toReference = ({ sandboxId, target }: AuditRow): Reference | null => {
  if ('type' in target) return null;
  // A promotion of Items that included Xp tables.
  if ('item_ids' in target && 'xp_ids' in target) return null;
  for (const kind of ['item', 'xp', 'change_set'] as const) {
    const id = readUuid(target[`${kind}_id`]) ?? readUuid(readSingle(target[`${kind}_ids`]));
    if (id !== null && sandboxId !== null) return { kind, sandboxId, id };
  }
  for (const [kind, field] of BY_UUID) {
    const id = readUuid(target[field]);
    if (id !== null) return { kind, sandboxId: null, id };
  }
  const { account_id: accountId } = target;
  return typeof accountId === 'string' ? { kind: 'account', sandboxId: null, id: accountId } : null;
};

const BY_UUID = [
  ['key', 'key_id'],
  ['player', 'player_uuid'],
  ['sandbox', 'sandbox_id'],
] as const;

/** A target of several records has no single name. */
const readSingle = (ids: unknown): unknown =>
  Array.isArray(ids) && ids.length === 1 ? ids[0] : undefined;

const readUuid = (value: unknown): string | null => Uuid.safeParse(value).data ?? null;

/**
 * $1 kinds, $2 sandboxes and $3 ids, of equal length; $4 whether names of people are included, $5 the account that
 * always sees its own. Ids are cast to UUIDs only in the branches that need them.
 */
const FIND_NAMES = {
  name: 'audit_target_names',
  text: `WITH wanted AS MATERIALIZED (
  SELECT DISTINCT kind, sandbox_id, id FROM unnest($1::text[], $2::uuid[], $3::text[]) AS w(kind, sandbox_id, id)
)
SELECT w.kind, w.sandbox_id AS "sandboxId", w.id, coalesce(
  CASE WHEN w.kind IN ('item', 'xp') THEN (SELECT r.name FROM catalogue_record r
    WHERE r.sandbox_id = w.sandbox_id AND r.kind = w.kind AND r.record_id = w.id::uuid) END,
  CASE WHEN w.kind = 'change_set' THEN (SELECT c.title FROM change_set c
    WHERE c.sandbox_id = w.sandbox_id AND c.change_set_id = w.id::uuid) END,
  CASE WHEN w.kind = 'key' THEN (SELECT k.name FROM service_key k WHERE k.key_id = w.id::uuid) END,
  CASE WHEN w.kind = 'account' THEN (SELECT a.name FROM account_name a
    WHERE a.account_id = w.id AND ($4::boolean OR a.kind <> 'person' OR a.account_id = $5::text)) END,
  CASE WHEN w.kind = 'player' THEN (SELECT p.display_name FROM player p WHERE p.player_uuid = w.id::uuid) END,
  CASE WHEN w.kind = 'sandbox' THEN (SELECT s.name FROM sandbox s WHERE s.sandbox_id = w.id::uuid) END
) AS name
FROM wanted w`,
};

type Viewer = readonly [seesPeople: boolean, accountId: string];

const findNames = (
  pool: Database['pool'],
  wanted: readonly Reference[],
  viewer: Viewer,
): Promise<FoundName[]> =>
  runPrepared<FoundName>(pool, FIND_NAMES, [
    wanted.map(({ kind }) => kind),
    wanted.map(({ sandboxId }) => sandboxId),
    wanted.map(({ id }) => id),
    ...viewer,
  ]);

/** On Citus one statement cannot join tables with different distribution keys, so each kind has its own statement. */
const findAcross = async (
  pool: Database['pool'],
  wanted: readonly Reference[],
  [seesPeople, accountId]: Viewer,
): Promise<FoundName[]> => {
  const groups = [...Map.groupBy(wanted, ({ kind }) => kind)];
  const found = await Promise.all(
    groups.map(([kind, references]) => {
      const values = [
        references.map(({ id }) => id),
        ...(IN_SANDBOX.includes(kind) ? [references.map(({ sandboxId }) => sandboxId)] : []),
        ...(kind === 'account' ? [seesPeople, accountId] : []),
      ];
      const statement = { name: `audit_names_${kind}`, text: NAMES_OF_KIND[kind] };
      return runPrepared<Omit<FoundName, 'kind'>>(pool, statement, values).then((rows) =>
        rows.map((row) => ({ ...row, kind })),
      );
    }),
  );
  return found.flat();
};

const IN_SANDBOX: readonly string[] = ['item', 'xp', 'change_set'];

const namesBy = (table: string, key: string, name = 'name'): string => `
  SELECT NULL::uuid AS "sandboxId", ${key}::text AS id, ${name} AS name FROM ${table}
  WHERE ${key} = ANY ($1::uuid[]) AND ${name} IS NOT NULL`;

const namesOfRecords = (kind: 'item' | 'xp'): string => `
  SELECT r.sandbox_id AS "sandboxId", r.record_id::text AS id, r.name FROM catalogue_record r
  JOIN unnest($1::uuid[], $2::uuid[]) AS w(id, sandbox_id) ON w.sandbox_id = r.sandbox_id AND w.id = r.record_id
  WHERE r.kind = '${kind}'`;

const NAMES_OF_KIND: Record<Reference['kind'], string> = {
  item: namesOfRecords('item'),
  xp: namesOfRecords('xp'),
  change_set: `SELECT c.sandbox_id AS "sandboxId", c.change_set_id::text AS id, c.title AS name FROM change_set c
    JOIN unnest($1::uuid[], $2::uuid[]) AS w(id, sandbox_id) ON w.sandbox_id = c.sandbox_id AND w.id = c.change_set_id`,
  key: namesBy('service_key', 'key_id'),
  player: namesBy('player', 'player_uuid', 'display_name'),
  sandbox: namesBy('sandbox', 'sandbox_id'),
  account: `SELECT NULL::uuid AS "sandboxId", account_id AS id, name FROM account_name
    WHERE account_id = ANY ($1::text[]) AND ($2::boolean OR kind <> 'person' OR account_id = $3::text)`,
};
