// The SQL of the catalogue where Prisma's model has no words for it: row-wise keysets, locks, many rows at once.
import type { ListPosition } from './list-cursor.ts';

const RECORD_COLUMNS = `r.record_id AS "recordId", r.legacy_id AS "legacyId", r.legacy_seq AS "legacySeq", r.name,
  r.deleted, r.version, r.head_seq AS "headSeq", r.snapshot, v.version_id AS "versionId",
  v.transaction_id AS "transactionId", r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

const NEWEST_VERSION = 'JOIN catalogue_version v ON v.sandbox_id = $1::uuid AND v.seq = r.head_seq';

/** NO KEY: rows that refer to the sandbox may be added meanwhile, by the same transaction among others. */
export const LOCK_SANDBOX = `SELECT name, protected, head_seq AS "headSeq", head_hash AS "headHash"
FROM sandbox WHERE sandbox_id = $1::uuid FOR NO KEY UPDATE`;

/** $1 sandbox, $2 kind, $3 record ids, $4 legacy ids. */
export const FIND_RECORDS = `SELECT ${RECORD_COLUMNS}
FROM catalogue_record r ${NEWEST_VERSION}
WHERE r.sandbox_id = $1::uuid AND r.kind = $2
  AND (r.record_id = ANY ($3::uuid[]) OR r.legacy_id = ANY ($4::bigint[]))`;

/** $1 sandbox, $2 kind, $3 pattern, $4 live ones, deleted ones or both, $5 limit; then the last folded name and id. */
export const listStatement = (after: ListPosition | undefined): string => `SELECT ${RECORD_COLUMNS}
FROM (
  SELECT * FROM catalogue_record
  WHERE sandbox_id = $1::uuid AND kind = $2 ${after ? 'AND (folded_name, record_id) > ($6, $7::uuid)' : ''}
    AND folded_name LIKE $3 AND deleted = ANY ($4::boolean[])
  ORDER BY folded_name, record_id LIMIT $5::int
) r ${NEWEST_VERSION}
ORDER BY r.folded_name, r.record_id`;

/** Counting stops here: beyond it, nobody needs the exact number, and a list would wait for it. */
export const COUNT_LIMIT = 100_000;

/** $1 sandbox, $2 kind, $3 pattern, $4 live ones, deleted ones or both. */
export const COUNT_RECORDS = `SELECT count(*)::int AS total FROM (
  SELECT FROM catalogue_record
  WHERE sandbox_id = $1::uuid AND kind = $2 AND folded_name LIKE $3 AND deleted = ANY ($4::boolean[])
  LIMIT ${COUNT_LIMIT + 1}
) r`;

/** $1 sandbox, $2 kind, $3 version ids. */
export const FIND_VERSIONS = `SELECT record_id AS "recordId", version_id AS "versionId", snapshot
FROM catalogue_version
WHERE sandbox_id = $1::uuid AND version_id = ANY ($3::uuid[]) AND kind = $2`;

/** $1 sandbox, $2 kind, $3 rows as JSON. */
export const UPSERT_RECORDS = `INSERT INTO catalogue_record (sandbox_id, kind, record_id, legacy_id, legacy_seq, name,
  folded_name, deleted, version, head_seq, snapshot, created_at, updated_at)
SELECT $1::uuid, $2, r.* FROM json_to_recordset($3::json) AS r (record_id uuid, legacy_id bigint, legacy_seq bigint,
  name text, folded_name text, deleted boolean, version bigint, head_seq bigint, snapshot text,
  created_at timestamptz, updated_at timestamptz)
ON CONFLICT (sandbox_id, kind, record_id) DO UPDATE SET legacy_id = excluded.legacy_id,
  legacy_seq = excluded.legacy_seq, name = excluded.name, folded_name = excluded.folded_name,
  deleted = excluded.deleted, version = excluded.version, head_seq = excluded.head_seq,
  snapshot = excluded.snapshot, updated_at = excluded.updated_at`;

/** $1 sandbox, $2 kind, $3 rows as JSON (hash in hexadecimal), $4 account, $5 issued at. */
export const INSERT_VERSIONS = `INSERT INTO catalogue_version (sandbox_id, kind, account_id, issued_at, seq, record_id,
  version, version_id, transaction_id, operation, reason, version_name, snapshot, hash, changed_fields)
SELECT $1::uuid, $2, $4, $5::timestamptz, v.seq, v.record_id, v.version, v.version_id, v.transaction_id, v.operation,
  v.reason, v.version_name, v.snapshot, decode(v.hash, 'hex'), v.changed_fields
FROM json_to_recordset($3::json) AS v (seq bigint, record_id uuid, version bigint, version_id uuid,
  transaction_id uuid, operation text, reason text, version_name text, snapshot text, hash text,
  changed_fields text[])`;

/** A name keeps the position that it first came at. $1 sandbox, $2 kind, $3 rows as JSON. */
export const INSERT_NAMES = `INSERT INTO catalogue_name (sandbox_id, kind, record_id, folded_name, first_seq)
SELECT $1::uuid, $2, n.* FROM json_to_recordset($3::json) AS n (record_id uuid, folded_name text, first_seq bigint)
ON CONFLICT (sandbox_id, kind, record_id, folded_name) DO NOTHING`;
