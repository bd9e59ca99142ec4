// Many versions at once, written by SQL: enough for the planner to show how it would read millions.
import type { Database } from '@muster/database';

export type FilledSandbox = {
  sandboxId: string;
  records: number;
  versions: number;
  /** Whether PostgreSQL looks at the tables afterwards, as it does by itself within minutes; it does by default. */
  analyse?: boolean;
};

const PAD = 'x'.repeat(300);

/**
 * Every record of 50 is an Xp table. Names: all contain "thing", one in 100 "sword". Versions go round the records, so
 * that each has as many as every other; every tenth record has its number as legacy id. The chain is not computed.
 * Of 1,000 versions after the inserts one is a restore and one changes the description; all others are updates of
 * custom_data. Of 10,000 one is by "rare-editor". A version a second from the year 2026 on, ten to a transaction.
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

/** The id that fillVersions gives to the record of this number. */
export const recordIdOf = (number: number): string =>
  `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
