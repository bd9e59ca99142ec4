// Creates sandboxes for a test, and fills them.
import type { Service } from './service.ts';

export type Sandbox = Awaited<ReturnType<typeof makeSandbox>>;
type Item = { item_id: string; version: number; version_id: string; transaction_id: string };

let count = 0;

export const makeSandbox = async (
  { call }: Pick<Service, 'call'>,
  options: { protected?: true; required_approvals?: number } = {},
) => {
  count += 1;
  const name = `Test ${count}`;
  const { sandbox_id } = await call<{ sandbox_id: string }>('sandboxes.create', { name });
  const settings = { required_approvals: 0, ...options };
  if (Object.keys(options).length > 0) {
    await call('sandboxes.update', { sandbox_id, ...settings });
  }
  return {
    name,
    sandbox_id,
    root: `/s/${sandbox_id}`,
    items: `/s/${sandbox_id}/items`,
    xp: `/s/${sandbox_id}/xp`,
    addItem: (item: string, fields: object = {}) =>
      call<Item>('items.create', { sandbox_id, name: item, item_type: 'unit', ...fields }),
    editItem: (item_id: string, expected_version: number, fields: object) =>
      call<Item>('items.update', { sandbox_id, item_id, expected_version, ...fields }),
    deleteItem: (item_id: string, expected_version: number) =>
      call('items.delete', { sandbox_id, item_id, expected_version }),
    addXp: (table: string, xp_thresholds: object[] = [{ level: 1, xp: 0 }]) =>
      call<{ xp_id: string }>('xp.create', { sandbox_id, name: table, xp_thresholds }),
  };
};

/** A name that would run as a script if a page rendered it as markup. */
export const MARKUP = `<img src=x onerror="document.title='owned'"><b>bold</b>`;

const VERSIONS_AT_ONCE = 5_000;

/**
 * One Item with the given number of versions, written by SQL, because the API would take minutes. The hash chain is not
 * computed.
 */
export const addVersions = (
  { withDatabase }: Pick<Service, 'withDatabase'>,
  sandboxId: string,
  versions: number,
): Promise<unknown> =>
  withDatabase(async ({ pool }) => {
    const run = (text: string, ...more: number[]) =>
      pool.query(text, [sandboxId, versions, ...more]);
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
    // In chunks, because of the statement timeout.
    for (let first = 1; first <= versions; first += VERSIONS_AT_ONCE) {
      await run(
        `INSERT INTO catalogue_version (sandbox_id, seq, kind, record_id, version, version_id, transaction_id,
           operation, account_id, issued_at, version_name, snapshot, hash, changed_fields)
         SELECT $1::uuid, s, 'item', ${id}, s, gen_random_uuid(), gen_random_uuid(),
           CASE s WHEN 1 THEN 'insert' ELSE 'update' END, 'editor-1', now(), 'Worn axe', ${snapshot}, sha256(''),
           '{custom_data}'
         FROM generate_series($3::int, least($2::int, $3 + ${VERSIONS_AT_ONCE} - 1)) s`,
        first,
      );
    }
    await pool.query('ANALYZE catalogue_version');
  });
