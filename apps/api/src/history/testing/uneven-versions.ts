// A history in which some records are edited all the time and others were long ago.
import type { Database } from '@muster/database';
import type { FilledSandbox } from './fill-versions.ts';

/** $2 records, $3 versions: each record once, then one that a hash draws, low numbers far more often. */
const DRAWN = `(
  SELECT seq, CASE WHEN seq <= $2::int THEN seq
    ELSE LEAST(1 + floor(power(draw, 3) * $2)::int, CASE WHEN seq > $3::int / 2 THEN $2 - 20 ELSE $2 END) END AS r
  FROM generate_series(1, $3) seq,
    LATERAL (SELECT ('x' || substr(md5(seq::text), 1, 6))::bit(24)::int / 16777216.0 AS draw) drawing
) drawn`;

const ID = `(lpad(to_hex(r), 8, '0') || '-0000-4000-8000-000000000000')::uuid`;
const KIND = `CASE r % 10 WHEN 0 THEN 'xp' ELSE 'item' END`;
const NAME = `'thing ' || r || CASE r % 2 WHEN 0 THEN ' even' ELSE '' END || CASE WHEN r > $2 - 20 THEN ' early' ELSE '' END
  || CASE WHEN r <= 3 THEN ' frequent' ELSE '' END`;

const STATEMENTS = [
  `INSERT INTO sandbox (sandbox_id, name, head_seq, item_versions, xp_versions)
   SELECT $1::uuid, 'Uneven', $3, count(*) FILTER (WHERE r % 10 <> 0), count(*) FILTER (WHERE r % 10 = 0) FROM ${DRAWN}`,
  `INSERT INTO catalogue_record (sandbox_id, kind, record_id, name, folded_name, version, head_seq, snapshot, created_at,
     updated_at)
   SELECT $1::uuid, ${KIND}, ${ID}, ${NAME}, ${NAME}, count(*), max(seq), '{}', now(), now() FROM ${DRAWN} GROUP BY r`,
  `INSERT INTO catalogue_name (sandbox_id, kind, record_id, folded_name, first_seq)
   SELECT $1::uuid, ${KIND}, ${ID}, ${NAME}, min(seq) FROM ${DRAWN} GROUP BY r`,
  `INSERT INTO catalogue_version (sandbox_id, seq, kind, record_id, version, version_id, transaction_id, operation,
     account_id, issued_at, version_name, snapshot, hash)
   SELECT $1::uuid, seq, ${KIND}, ${ID}, row_number() OVER (PARTITION BY r ORDER BY seq), gen_random_uuid(),
     gen_random_uuid(), 'update', 'editor-1', now(), ${NAME}, '{}', sha256('') FROM ${DRAWN}`,
];

/**
 * Records have the ids of fillVersions; every tenth is an Xp table, and the last 20 appear in the first half only. Names:
 * "thing" for all, "even" for every second, "early" for the last 20, "frequent" for the first three.
 */
export const insertUnevenVersions = async (
  { pool }: Pick<Database, 'pool'>,
  { sandboxId, records, versions }: FilledSandbox,
): Promise<void> => {
  for (const statement of STATEMENTS) await pool.query(statement, [sandboxId, records, versions]);
  await pool.query('VACUUM ANALYZE catalogue_record, catalogue_name, catalogue_version');
};
