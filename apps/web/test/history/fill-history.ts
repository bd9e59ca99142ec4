import type { Database } from '@muster/database';

const PART = 5_000;

/**
 * One Item with so many versions, written by SQL: through the API they would take minutes. The chain is not
 * computed.
 */
export const fillHistory = async (
  pool: Database['pool'],
  sandboxId: string,
  versions: number,
): Promise<void> => {
  const run = (text: string, ...more: number[]) => pool.query(text, [sandboxId, versions, ...more]);
  const id = "'00000000-0000-4000-8000-000000000001'::uuid";
  const snapshot = `'{"item_id":"00000000-0000-4000-8000-000000000001","name":"Worn axe","item_type":"unit","tags":[],"custom_data":{}}'`;
  await run(
    `UPDATE sandbox SET head_seq = $2::int, head_hash = sha256(''), item_versions = $2 WHERE sandbox_id = $1::uuid`,
  );
  await run(
    `INSERT INTO catalogue_record (sandbox_id, kind, record_id, name, folded_name, version, head_seq, snapshot,
       created_at, updated_at)
     VALUES ($1::uuid, 'item', ${id}, 'Worn axe', 'worn axe', $2::int, $2, ${snapshot}, now(), now())`,
  );
  // In parts, since no statement may take longer than a few seconds.
  for (let first = 1; first <= versions; first += PART) {
    await run(
      `INSERT INTO catalogue_version (sandbox_id, seq, kind, record_id, version, version_id, transaction_id,
         operation, account_id, issued_at, version_name, snapshot, hash, changed_fields)
       SELECT $1::uuid, s, 'item', ${id}, s, gen_random_uuid(), gen_random_uuid(),
         CASE s WHEN 1 THEN 'insert' ELSE 'update' END, 'editor-1', now(), 'Worn axe', ${snapshot}, sha256(''),
         '{custom_data}'
       FROM generate_series($3::int, least($2::int, $3 + ${PART} - 1)) s`,
      first,
    );
  }
  await pool.query('ANALYZE catalogue_version');
};
