// Many versions at once, written by SQL: enough for the planner to show how it would read millions.
import type { Database } from '@muster/database';

export type FilledSandbox = { sandboxId: string; records: number; versions: number };

const PAD = 'x'.repeat(300);

/**
 * Every record of 50 is an Xp table. Names: all contain "thing", one in 100 "sword". Versions go round the records, so
 * that each has as many as every other; every tenth record has its number as legacy id. The chain is not computed.
 */
export const fillVersions = async (
  { pool }: Pick<Database, 'pool'>,
  { sandboxId, records, versions }: FilledSandbox,
): Promise<void> => {
  const perRecord = versions / records;
  const id = (number: string) =>
    `(lpad(to_hex(${number}), 8, '0') || '-0000-4000-8000-000000000000')::uuid`;
  const kind = (number: string) => `CASE ${number} % 50 WHEN 0 THEN 'xp' ELSE 'item' END`;
  const name = (number: string) =>
    `'thing ' || ${number} || CASE ${number} % 100 WHEN 1 THEN ' sword' ELSE '' END`;
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
       ${name('r')}, ${name('r')}, $3::int, $2::int * ($3 - 1) + r, '{"pad":"' || $4::text || '"}', now(), now()
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
       account_id, issued_at, version_name, snapshot, hash)
     SELECT $1::uuid, s, ${kind('r')}, ${id('r')}, (s - 1) / $2::int + 1, gen_random_uuid(), gen_random_uuid(),
       CASE WHEN s <= $2 THEN 'insert' ELSE 'update' END, 'editor-1', now(), ${name('r')},
       '{"pad":"' || $4::text || '"}', sha256('')
     FROM generate_series(1, $2 * $3::int) s, LATERAL (SELECT (s - 1) % $2 + 1 AS r) record`,
    4,
  );
  await pool.query('VACUUM ANALYZE sandbox, catalogue_record, catalogue_name, catalogue_version');
};

/** The id that fillVersions gives to the record of this number. */
export const recordIdOf = (number: number): string =>
  `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
