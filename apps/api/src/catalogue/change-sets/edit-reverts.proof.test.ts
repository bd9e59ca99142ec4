// Reverts at full size, and of edits whose records others have used since. The chain is verified before and after each.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandboxPurge } from '../sandboxes/sandbox-purge.ts';
import { createSandboxPurgeStore } from '../sandboxes/sandbox-purge-store.ts';
import { createSetCalls, NO_AUTHORITY } from '../testing/change-set-calls.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, anXp, openTestCatalogue } from '../testing/open-test-catalogue.ts';

const TIMEOUT_MS = 600_000;

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const { listItems, apply, preview, revert, readContents } = createSetCalls(() => opened);

/** Verifies the whole chain as `verify` does, page by page. Returns the number of versions. */
const verify = async (sandboxId: string): Promise<number> => {
  for (let from = 0; ; ) {
    const check = await opened.catalogue.verification.check(sandboxId, from, 5_000);
    expect(check).not.toHaveProperty('broken');
    from = check.checked_to_seq;
    if (check.done) return from;
  }
};

test('an insert of Xp tables is reverted although Items refer to them since, and so is the revert', async () => {
  const sandbox_id = await opened.addSandbox();
  const { items, xp } = opened.catalogue;
  const tables = ['Heroes', 'Villains', 'Pets'];
  const made = await xp.bulk(
    ACTOR,
    { sandbox_id, operations: tables.map((name) => ({ operation: 'create', ...anXp(name) })) },
    NO_AUTHORITY,
  );
  for (const { xp_id, name } of made.records) {
    await items.create(ACTOR, { sandbox_id, ...anItem(name), level_xp_table_id: xp_id });
  }
  const before = await listItems(sandbox_id);
  expect(await verify(sandbox_id)).toBe(6);
  const draft = await revert(sandbox_id, made.transaction_id);
  const { operations } = await preview(draft);
  expect(operations.map(({ operation, warnings }) => [operation, warnings?.length])).toEqual(
    Array(3).fill(['delete', 1]),
  );
  const applied = await apply(draft);
  const readTables = async () =>
    (await xp.list({ sandbox_id, include_deleted: false, page_size: 10 })).records;
  expect(await readTables()).toEqual([]);
  expect(await listItems(sandbox_id)).toEqual(before);
  expect(await verify(sandbox_id)).toBe(9);
  await apply(await revert(sandbox_id, applied.transaction_id));
  expect((await readTables()).map(({ name }) => name)).toEqual(tables.toSorted());
  expect(await verify(sandbox_id)).toBe(12);
});

test('a delete is reverted although other Items have the same names since', async () => {
  const sandbox_id = await opened.addSandbox();
  const { items } = opened.catalogue;
  const made = await items.bulk(
    ACTOR,
    {
      sandbox_id,
      operations: Array.from({ length: 36 }, (_, index) => ({
        operation: 'create' as const,
        ...anItem(`Item ${index}`),
        legacy_item_id: 1_000 + index,
        custom_data: { price: String(index) },
      })),
    },
    NO_AUTHORITY,
  );
  const before = await readContents(sandbox_id);
  const deletes = made.records.map(({ item_id }) => {
    return { operation: 'delete' as const, item_id, expected_version: 1 };
  });
  const authority = { administers: true, confirmedName: undefined };
  const deleted = await items.bulk(ACTOR, { sandbox_id, operations: deletes }, authority);
  const other = await items.create(ACTOR, { sandbox_id, ...anItem('Item 7') });
  expect(await verify(sandbox_id)).toBe(73);
  await apply(await revert(sandbox_id, deleted.transaction_id));
  const after = await readContents(sandbox_id);
  expect(after.filter(({ item_id }) => item_id !== other.item_id)).toEqual(before);
  expect(after).toHaveLength(37);
  expect(await verify(sandbox_id)).toBe(109);
});

/** Of all records that are not deleted. */
const digest = async (sandboxId: string): Promise<string> => {
  const { rows } = await opened.database.pool.query<{ digest: string }>(
    `SELECT count(*) || ' ' || md5(string_agg(record_id::text || snapshot::text, ',' ORDER BY record_id)) AS digest
     FROM catalogue_record WHERE sandbox_id = $1 AND NOT deleted`,
    [sandboxId],
  );
  return rows[0]?.digest ?? '';
};

const linesOf = async function* (rows: readonly object[]) {
  const LINES_AT_ONCE = 1_000;
  for (let first = 0; first < rows.length; first += LINES_AT_ONCE) {
    const lines = rows.slice(first, first + LINES_AT_ONCE).map((row) => `${JSON.stringify(row)}\n`);
    yield Buffer.from(lines.join(''));
  }
};

const importRows = async (sandboxId: string, rows: readonly object[], deleteMissing: boolean) => {
  const { imports } = opened.catalogue;
  const read = () =>
    imports.read({
      sandboxId,
      kind: 'item',
      format: 'ndjson',
      bytes: linesOf(rows),
      deleteMissing,
      expectedHeadSeq: undefined,
      reason: undefined,
    });
  const plan = await imports.plan(await read());
  return imports.apply(await read(), {
    actor: ACTOR,
    authority: { administers: true, confirmedName: undefined },
    planDigest: plan.plan_digest ?? '',
    signal: new AbortController().signal,
  });
};

test(
  'an import that creates, changes and deletes 50,000 Items is reverted as one edit',
  async () => {
    const sandbox_id = await opened.addSandbox();
    const toRow = (index: number, price: string) => ({
      item_id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      ...anItem(`Item ${index}`),
      custom_data: { price },
    });
    const range = (from: number, to: number, price: string) =>
      Array.from({ length: to - from }, (_, index) => toRow(from + index, price));
    await importRows(sandbox_id, range(0, 30_000, '100'), false);
    const before = await digest(sandbox_id);
    // 10,000 are not in the file, 20,000 have another price, and 20,000 are new.
    const mixed = await importRows(sandbox_id, range(10_000, 50_000, '80'), true);
    const { create, update, delete: removed } = mixed.counts;
    expect({ create, update, removed }).toEqual({
      create: 20_000,
      update: 20_000,
      removed: 10_000,
    });
    expect(await verify(sandbox_id)).toBe(80_000);
    await apply(await revert(sandbox_id, mixed.transaction_id));
    expect(await digest(sandbox_id)).toBe(before);
    expect(await verify(sandbox_id)).toBe(130_000);
  },
  TIMEOUT_MS,
);

test('an edit of a purged sandbox cannot be reverted, and other sandboxes are unchanged', async () => {
  const { items, sandboxes, changeSets } = opened.catalogue;
  const kept = await opened.addSandbox('Kept');
  await items.create(ACTOR, { sandbox_id: kept, ...anItem('Axe') });
  const sandbox_id = await opened.addSandbox('Purged');
  const axe = await items.create(ACTOR, { sandbox_id, ...anItem('Axe') });
  const edit = { sandbox_id, item_id: axe.item_id, expected_version: 1 };
  const edited = await items.update(ACTOR, { ...edit, name: 'Great axe' });
  const draft = await revert(sandbox_id, edited.transaction_id);
  expect([await verify(kept), await verify(sandbox_id)]).toEqual([1, 2]);
  const authority = { administers: true, confirmedName: 'Purged' };
  const expectNoRevert = async () => {
    const missing = { code: 'sandbox_not_found' };
    await expect(revert(sandbox_id, edited.transaction_id)).rejects.toMatchObject(missing);
    await expect(apply(draft)).rejects.toMatchObject(missing);
    await expect(changeSets.get(draft)).rejects.toMatchObject(missing);
  };
  await sandboxes.delete(ACTOR, { sandbox_id }, authority);
  await expectNoRevert();
  await sandboxes.purge(ACTOR, { sandbox_id }, authority);
  await expectNoRevert();
  const purge = createSandboxPurge({
    store: createSandboxPurgeStore(opened.database),
    keptDays: undefined,
    onPurged: () => {},
    onFailure: (error) => {
      throw error;
    },
  });
  await purge.run();
  await expectNoRevert();
  const { rows } = await opened.database.pool.query(
    'SELECT FROM change_set_operation WHERE sandbox_id = $1',
    [sandbox_id],
  );
  expect(rows).toHaveLength(0);
  expect(await verify(kept)).toBe(1);
  // The id of the transaction means nothing in another sandbox.
  const elsewhere = revert(kept, edited.transaction_id);
  await expect(elsewhere).rejects.toMatchObject({ code: 'edit_not_found' });
  await expect(revert(kept, randomUUID())).rejects.toMatchObject({ code: 'edit_not_found' });
});
