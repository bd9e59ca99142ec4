// Many versions, written by SQL: enough to see how the planner would read millions.
import type { Database } from '@muster/database';

type FilledSandbox = {
  sandboxId: string;
  records: number;
  versions: number;
  /** Whether the tables are analysed afterwards, as autovacuum does within minutes; true by default. */
  analyse?: boolean;
};

const PAD = 'x'.repeat(300);

/**
 * Every record of 50 is an Xp table. Names: all contain "thing", one in 100 "sword". Versions cycle through the
 * records, so that all have the same number; every tenth record has its number as legacy id. The chain is not computed.
 * Of 1,000 versions after the inserts one is a restore and one changes the description; all others update custom_data.
 * Of 10,000 one is by "rare-editor". One version per second from the year 2026 on, ten per transaction.
 */
export const fillVersions = async (
  { pool }: Pick<Database, 'pool'>,
  { sandboxId, records, versions, analyse = true }: FilledSandbox,
): Promise<void> => {
  const perRecord = versions / records;
  const id = (number: string) =>
    `(lpad(to_hex(${number}), 8, '0') || '-0000-4000-8000-000000000000')::uuid`;
  const kind = (number: string) => `CASE ${number} % 50 WHEN 0 THEN 'xp' ELSE 'item' END`;
  const name = (number: string) =>
    `'thing ' || ${number} || CASE ${number} % 100 WHEN 1 THEN ' sword' ELSE '' END`;
  const timeOf = (seq: string) =>
    `'2026-01-01T00:00:00Z'::timestamptz + ${seq} * interval '1 second'`;
  const values = [sandboxId, records, perRecord, PAD];
  const run = (text: string, count: number) => pool.query(text, values.slice(0, count));
  await run(
    `INSERT INTO sandbox (sandbox_id, name, head_seq, item_versions, xp_versions)
     VALUES ($1::uuid, 'Big', $2::int * $3::int, $2 * $3 - $2 / 50 * $3, $2 / 50 * $3)`,
    3,
  );
  await run(
    `INSERT INTO catalogue_record (sandbox_id, kind, record_id, legacy_id, legacy_seq, name, folded_name, version,
       head_seq, snapshot, created_at, updated_at)
     SELECT $1::uuid, ${kind('r')}, ${id('r')}, CASE r % 10 WHEN 1 THEN r END, CASE r % 10 WHEN 1 THEN r END,
       ${name('r')}, ${name('r')}, $3::int, $2::int * ($3 - 1) + r, '{"pad":"' || $4::text || '"}',
       ${timeOf('r')}, ${timeOf('($2::int * ($3::int - 1) + r)')}
     FROM generate_series(1, $2) r`,
    4,
  );
  await run(
    `INSERT INTO catalogue_name (sandbox_id, kind, record_id, folded_name, first_seq)
     SELECT $1::uuid, ${kind('r')}, ${id('r')}, ${name('r')}, r FROM generate_series(1, $2::int) r`,
    2,
  );
  await run(
    `INSERT INTO catalogue_version (sandbox_id, seq, kind, record_id, version, version_id, transaction_id, operation,
       account_id, issued_at, version_name, snapshot, hash, changed_fields)
     SELECT $1::uuid, s, ${kind('r')}, ${id('r')}, (s - 1) / $2::int + 1, gen_random_uuid(), ${id('(s / 10)')},
       CASE WHEN s <= $2 THEN 'insert' WHEN s % 1000 = 1 THEN 'restore' ELSE 'update' END,
       CASE s % 10000 WHEN 7 THEN 'rare-editor' ELSE 'editor-1' END,
       ${timeOf('s')}, ${name('r')},
       '{"pad":"' || $4::text || '"}', sha256(''),
       CASE WHEN s <= $2 THEN '{name,item_type,tags,custom_data}'::text[] WHEN s % 1000 = 2
         THEN '{description}' ELSE '{custom_data}' END
     FROM generate_series(1, $2 * $3::int) s, LATERAL (SELECT (s - 1) % $2 + 1 AS r) record`,
    4,
  );
  if (!analyse) return;
  await pool.query('VACUUM ANALYZE sandbox, catalogue_record, catalogue_name, catalogue_version');
};

/** The id of the record with this number in fillVersions. */
export const recordIdOf = (number: number): string =>
  `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;

// A history in which some records change all the time and others long ago.

/** $2 records, $3 versions: each record once, then one chosen by a hash, low numbers far more often. */
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
 * Records have the ids of fillVersions; every tenth is an Xp table, and the last 20 appear in the first half only.
 * Names: "thing" for all, "even" for every second, "early" for the last 20, "frequent" for the first three.
 */
export const insertUnevenVersions = async (
  { pool }: Pick<Database, 'pool'>,
  { sandboxId, records, versions }: FilledSandbox,
): Promise<void> => {
  for (const statement of STATEMENTS) await pool.query(statement, [sandboxId, records, versions]);
  await pool.query('VACUUM ANALYZE catalogue_record, catalogue_name, catalogue_version');
};
