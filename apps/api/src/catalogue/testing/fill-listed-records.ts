import type { Database } from '@muster/database';

type ListedSandbox = { sandboxId: string; records: number; tag?: string };

/**
 * Fills lists of records; every tenth is an Xp table. One in ten Items has the tag "melee", one in 500 "rare", or all
 * of them the given `tag`; half have the key "season", one in 500 "promotion"; one in 500 is an entitlement. Versions
 * and times are independent of names. The chain is not computed.
 */
export const fillListedRecords = async (
  { pool }: Pick<Database, 'pool'>,
  { sandboxId, records, tag }: ListedSandbox,
): Promise<void> => {
  const id = `(lpad(to_hex(r), 8, '0') || '-0000-4000-8000-' || right($1::text, 12))::uuid`;
  const kind = `CASE r % 10 WHEN 0 THEN 'xp' ELSE 'item' END`;
  const name = `'thing ' || lpad((r::bigint * 7919 % 100000)::text, 6, '0')`;
  const tags = tag
    ? `jsonb_build_array('${tag}')`
    : `CASE WHEN r % 500 = 7 THEN '["rare"]' WHEN r % 11 = 3 THEN '["melee","sharp"]' ELSE '[]' END::jsonb`;
  const item = `jsonb_build_object('item_type', CASE WHEN r % 500 = 11 THEN 'entitlement' ELSE 'unit' END, 'tags', ${tags},
    'custom_data', CASE WHEN r % 500 = 13 THEN '{"promotion":"x"}' WHEN r % 2 = 1 THEN '{"season":"4"}' ELSE '{}' END::jsonb)`;
  const xp = `jsonb_build_object('xp_thresholds', (SELECT COALESCE(jsonb_agg(jsonb_build_object('level', l, 'xp', l * 100)), '[]')
    FROM generate_series(1, r / 10 % 7) l))`;
  await pool.query(
    `INSERT INTO sandbox (sandbox_id, name, head_seq, item_versions, xp_versions) VALUES ($1::uuid, $1::text, $2::int, $2, 0)`,
    [sandboxId, records],
  );
  await pool.query(
    `INSERT INTO catalogue_record (sandbox_id, kind, record_id, name, folded_name, version, head_seq, snapshot, created_at, updated_at)
     SELECT $1::uuid, ${kind}, ${id}, ${name}, ${name}, r * 31 % 5 + 1, r,
       (CASE r % 10 WHEN 0 THEN ${xp} ELSE ${item} END)::text, '2026-01-01T00:00:00Z',
       '2026-01-01T00:00:00Z'::timestamptz + (r::bigint * 104729 % 86400) * interval '1 second'
     FROM generate_series(1, $2::int) r`,
    [sandboxId, records],
  );
  await pool.query(
    `INSERT INTO catalogue_version (sandbox_id, seq, kind, record_id, version, version_id, transaction_id, operation,
       account_id, issued_at, version_name, snapshot, hash)
     SELECT $1::uuid, head_seq, kind, record_id, 1, gen_random_uuid(), record_id, 'insert', 'editor', created_at, name, '{}', sha256('')
     FROM catalogue_record WHERE sandbox_id = $1::uuid`,
    [sandboxId],
  );
};
