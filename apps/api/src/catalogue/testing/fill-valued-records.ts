import type { Database } from '@muster/database';

/** About 1 kB for each record, in an order that has nothing to do with names. */
const FILL = `INSERT INTO catalogue_record (sandbox_id, kind, record_id, name, folded_name, version, head_seq, snapshot,
    created_at, updated_at)
  SELECT $1::uuid, 'item', gen_random_uuid(), n.name, n.name, 1, r, json_build_object('item_type', 'unit', 'name', n.name,
    'description', 'Number ' || r || repeat(' sharp and shiny', 30),
    'tags', CASE WHEN r % 10 = 4 THEN '["sword","melee"]' WHEN r % 3 = 0 THEN '["shield"]' ELSE '[]' END::json,
    'custom_data', json_build_object('price', (r::bigint * 7919 % 1000)::text, 'rarity',
      (ARRAY['common','uncommon','rare','epic','legendary'])[1 + r % 5], 'season', (r % 50)::text,
      'sold', (r % 2 = 0)::text, 'notes', repeat('note ', 40), 'id', 'id-' || r))::text,
    '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'::timestamptz + (r::bigint * 104729 % 86400) * interval '1 second'
  FROM generate_series(1, $2::int) r, LATERAL (SELECT 'thing ' || lpad((r::bigint * 6007 % 100000)::text, 6, '0') AS name) n`;

const FILL_VERSIONS = `INSERT INTO catalogue_version (sandbox_id, seq, kind, record_id, version, version_id, transaction_id,
    operation, account_id, issued_at, version_name, snapshot, hash)
  SELECT sandbox_id, head_seq, kind, record_id, 1, gen_random_uuid(), record_id, 'insert', 'editor', created_at, name, '{}',
    sha256('') FROM catalogue_record`;

/** Fills a list of Items with texts, numbers and booleans as custom data, and analyses it. The chain is not computed. */
export const fillValuedRecords = async (
  { pool }: Pick<Database, 'pool'>,
  { sandboxId, records }: { sandboxId: string; records: number },
): Promise<void> => {
  await pool.query(
    `INSERT INTO sandbox (sandbox_id, name, head_seq, item_versions, xp_versions) VALUES ($1, 'Big', $2, $2, 0)`,
    [sandboxId, records],
  );
  // A background analysis during the fill would keep VACUUM from marking its pages as visible.
  for (const table of ['catalogue_record', 'catalogue_version', 'catalogue_value']) {
    await pool.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  }
  const client = await pool.connect();
  // VACUUM marks no page as visible whose transaction is committed but not yet on the disk.
  await client.query('SET synchronous_commit = on');
  await client.query(FILL, [sandboxId, records]);
  await client.query(FILL_VERSIONS);
  await client.query('VACUUM ANALYZE catalogue_record, catalogue_version, catalogue_value');
  client.release(true);
};
