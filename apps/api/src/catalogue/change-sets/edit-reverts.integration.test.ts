import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSetCalls, NO_AUTHORITY, refOf } from '../testing/change-set-calls.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, anXp, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const { listItems, apply, preview, revert, expectChain, readContents } = createSetCalls(
  () => opened,
);

/** Thirty-six Items with a sale that one bulk edit began. */
const startSale = async () => {
  const sandbox_id = await opened.addSandbox();
  const { items } = opened.catalogue;
  const names = Array.from({ length: 36 }, (_, index) => `Item ${String(index).padStart(2, '0')}`);
  const made = await items.bulk(ACTOR, {
    sandbox_id,
    operations: names.map((name) => ({
      operation: 'create' as const,
      ...anItem(name),
      custom_data: { price: '100', weight: '1' },
    })),
  });
  const before = await readContents(sandbox_id);
  const sale = await items.bulk(ACTOR, {
    sandbox_id,
    operations: made.records.map(({ item_id }) => ({
      operation: 'update' as const,
      item_id,
      expected_version: 1,
      tags: ['sale'],
      custom_data: { price: '50', weight: '1' },
    })),
  });
  const ids = made.records.map(({ item_id }) => item_id);
  return { sandbox_id, before, ids, transaction_id: sale.transaction_id };
};

const update = (sandbox_id: string, item_id: string | undefined, fields: object) =>
  opened.catalogue.items.update(ACTOR, {
    sandbox_id,
    item_id: item_id ?? '',
    expected_version: 2,
    ...fields,
  });

describe('the revert of an edit of 36 records', () => {
  test('returns all of them to their values before, as one edit', async () => {
    const { sandbox_id, before, transaction_id } = await startSale();
    const draft = await revert(sandbox_id, transaction_id);
    const shown = await preview(draft);
    expect(shown).toMatchObject({
      counts: { changes: 36, unchanged: 0, problems: 0 },
      head_seq: 72,
      next: null,
    });
    const [first] = shown.operations.filter(({ name }) => name === 'Item 00');
    expect(first?.changes.map(({ path, before: old, after }) => [path.join(), old, after])).toEqual(
      [
        ['tags,sale', 'sale', undefined],
        ['custom_data,price', '50', '100'],
      ],
    );
    const applied = await apply(draft);
    expect(applied).toMatchObject({
      change_set: { state: 'applied', applied: { account_id: 'editor-1' } },
      head_seq: 108,
    });
    expect(await readContents(sandbox_id)).toEqual(before);
    const { edits } = await opened.catalogue.edits.list(sandbox_id, null, 50);
    expect(edits).toMatchObject([
      {
        transaction_id: applied.transaction_id,
        change_set_id: draft.change_set_id,
        title: 'Revert of 36 changes',
        counts: [{ kind: 'item', operation: 'update', records: 36 }],
      },
      { transaction_id, reverted_by_transaction_id: applied.transaction_id },
      { first_seq: 1, last_seq: 36 },
    ]);
    expect(edits[0]).not.toHaveProperty('reverted_by_transaction_id');
    expect(await expectChain(sandbox_id)).toBe(108);
  });

  test('keeps what others changed in other fields since', async () => {
    const { sandbox_id, before, ids, transaction_id } = await startSale();
    await update(sandbox_id, ids[3], { description: 'Heavy' });
    await update(sandbox_id, ids[4], { custom_data: { price: '50', weight: '7' } });
    await apply(await revert(sandbox_id, transaction_id));
    const expected = before.map((record) => {
      if (record.item_id === ids[3]) return { ...record, description: 'Heavy' };
      if (record.item_id !== ids[4]) return record;
      return { ...record, custom_data: { price: '100', weight: '7' } };
    });
    expect(await readContents(sandbox_id)).toEqual(expected);
    await expectChain(sandbox_id);
  });

  test('writes nothing when a later edit changed the same values', async () => {
    const { sandbox_id, ids, transaction_id } = await startSale();
    await update(sandbox_id, ids[3], { custom_data: { price: '60', weight: '1' } });
    await update(sandbox_id, ids[20], { custom_data: { price: '70', weight: '1' } });
    const draft = await revert(sandbox_id, transaction_id);
    const shown = await preview(draft);
    expect(shown.counts).toEqual({ changes: 34, unchanged: 0, problems: 2, warnings: 0 });
    expect(shown.operations.find(({ name }) => name === 'Item 03')?.problem).toMatchObject({
      error_code: 'record_version_conflict',
      conflicts: [{ path: ['custom_data', 'price'], base: '50', theirs: '60', mine: '100' }],
    });
    await expect(apply(draft)).rejects.toMatchObject({
      code: 'change_set_conflict',
      evidence: {
        facts: {
          problems: 2,
          kind: 'item',
          record_id: ids[20],
          problem_code: 'record_version_conflict',
        },
      },
    });
    expect(await expectChain(sandbox_id)).toBe(74);
    expect(await opened.catalogue.changeSets.get(refOf(draft))).toMatchObject(draft);
    // Without the two records it can be applied.
    const records = [ids[3], ids[20]].map((record_id) => ({
      kind: 'item' as const,
      record_id: record_id ?? '',
    }));
    const rest = await opened.catalogue.changeSets.removeOperations(ACTOR, {
      ...refOf(draft),
      records,
    });
    expect(await apply(rest)).toMatchObject({ head_seq: 108 });
    // It did not revert all of the edit.
    const { edits } = await opened.catalogue.edits.list(sandbox_id, null, 50);
    const sale = edits.find((each) => each.transaction_id === transaction_id);
    expect(sale).not.toHaveProperty('reverted_by_transaction_id');
  });

  test('that is reverted again and again, leaves each set in the state that is in effect', async () => {
    const { sandbox_id, transaction_id } = await startSale();
    const sets = [await revert(sandbox_id, transaction_id)];
    for (let count = 0; count < 3; count += 1) {
      const { transaction_id: last } = await apply(sets.at(-1)!);
      sets.push(await revert(sandbox_id, last!));
    }
    await apply(sets.at(-1)!);
    const states = sets.map(
      async (set) => (await opened.catalogue.changeSets.get(refOf(set))).state,
    );
    expect(await Promise.all(states)).toEqual(['reverted', 'applied', 'reverted', 'applied']);
  });

  test('has nothing to change the second time', async () => {
    const { sandbox_id, transaction_id } = await startSale();
    await apply(await revert(sandbox_id, transaction_id));
    const again = await revert(sandbox_id, transaction_id);
    expect((await preview(again)).counts).toMatchObject({ changes: 0, unchanged: 36 });
    const answer = await apply(again);
    expect(answer).not.toHaveProperty('transaction_id');
    expect(answer).toMatchObject({ head_seq: 108, change_set: { state: 'applied' } });
    expect(await expectChain(sandbox_id)).toBe(108);
  });
});

describe('the revert of', () => {
  test('an insert deletes the record, and warns of Items that refer to it', async () => {
    const sandbox_id = await opened.addSandbox();
    const { items, xp } = opened.catalogue;
    const { xp_id, transaction_id } = await xp.create(ACTOR, { sandbox_id, ...anXp('Levels') });
    const level = { level_xp_table_id: xp_id };
    const sword = await items.create(ACTOR, { sandbox_id, ...anItem('Sword'), ...level });
    const draft = await revert(sandbox_id, transaction_id);
    const shown = await preview(draft);
    expect(shown.operations).toMatchObject([
      {
        kind: 'xp',
        record_id: xp_id,
        operation: 'delete',
        warnings: ['Items still use this Xp table, for example Sword.'],
      },
    ]);
    const item = { kind: 'item', operation: 'delete', item_id: sword.item_id } as const;
    const both = await opened.catalogue.changeSets.addOperations(ACTOR, {
      ...refOf(draft),
      operations: [{ ...item, expected_version: 1 }],
    });
    expect((await preview(both)).operations[0]).not.toHaveProperty('warnings');
    await apply(both);
    expect(await xp.get({ sandbox_id, xp_id })).toMatchObject({ deleted: true });
  });

  test('an insert is a conflict when the record was changed since', async () => {
    const sandbox_id = await opened.addSandbox();
    const { items } = opened.catalogue;
    const axe = await items.create(ACTOR, { sandbox_id, ...anItem('Axe') });
    const edit = { sandbox_id, item_id: axe.item_id, expected_version: 1 };
    await items.update(ACTOR, { ...edit, name: 'Great axe' });
    const draft = await revert(sandbox_id, axe.transaction_id);
    expect((await preview(draft)).operations[0]?.problem?.conflicts).toMatchObject([
      { path: ['name'], base: 'Axe', theirs: 'Great axe' },
    ]);
    await expect(apply(draft)).rejects.toMatchObject({ code: 'change_set_conflict' });
  });

  test('a delete restores the record', async () => {
    const sandbox_id = await opened.addSandbox();
    const { items } = opened.catalogue;
    const axe = await items.create(ACTOR, { sandbox_id, ...anItem('Axe') });
    const deleted = await items.delete(ACTOR, {
      sandbox_id,
      item_id: axe.item_id,
      expected_version: 1,
    });
    await apply(await revert(sandbox_id, deleted.transaction_id));
    expect(await readContents(sandbox_id)).toMatchObject([{ item_id: axe.item_id, name: 'Axe' }]);
    await expectChain(sandbox_id);
  });

  test('a single edit returns the record to its values before', async () => {
    const sandbox_id = await opened.addSandbox();
    const { items } = opened.catalogue;
    const axe = await items.create(ACTOR, { sandbox_id, ...anItem('Axe'), description: 'Sharp' });
    const edit = { sandbox_id, item_id: axe.item_id, expected_version: 1 };
    const edited = await items.update(ACTOR, { ...edit, description: null, legacy_item_id: 7 });
    await apply(await revert(sandbox_id, edited.transaction_id));
    // The legacy id is permanent.
    expect(await listItems(sandbox_id)).toMatchObject([
      { description: 'Sharp', legacy_item_id: 7, version: 3 },
    ]);
  });

  test('an import undoes its creations, changes and deletions', async () => {
    const sandbox_id = await opened.addSandbox();
    const { items, imports } = opened.catalogue;
    const axe = await items.create(ACTOR, { sandbox_id, ...anItem('Axe') });
    await items.create(ACTOR, { sandbox_id, ...anItem('Bow') });
    const before = await readContents(sandbox_id);
    const rows = [{ item_id: axe.item_id, ...anItem('Great axe') }, anItem('Club')];
    const file = rows.map((row) => JSON.stringify(row)).join('\n');
    const upload = () =>
      imports.read({
        sandboxId: sandbox_id,
        kind: 'item',
        format: 'ndjson',
        bytes: piecesOf(file),
        deleteMissing: true,
        expectedHeadSeq: undefined,
        reason: undefined,
      });
    const plan = await imports.plan(await upload());
    const imported = await imports.apply(await upload(), {
      actor: ACTOR,
      authority: NO_AUTHORITY,
      planDigest: plan.plan_digest ?? '',
      signal: new AbortController().signal,
    });
    expect((await listItems(sandbox_id)).map(({ name }) => name)).toEqual(['Club', 'Great axe']);
    await apply(await revert(sandbox_id, imported.transaction_id));
    expect(await readContents(sandbox_id)).toEqual(before);
    await expectChain(sandbox_id);
  });

  test('a promotion undoes it in the target, with the Xp tables that came along', async () => {
    const source = await opened.addSandbox('Source');
    const sandbox_id = await opened.addSandbox('Target');
    const { items, xp, changeSets } = opened.catalogue;
    const { xp_id } = await xp.create(ACTOR, { sandbox_id: source, ...anXp('Levels') });
    const level = { level_xp_table_id: xp_id };
    const sword = { ...anItem('Sword'), ...level };
    const { item_id } = await items.create(ACTOR, { sandbox_id: source, ...sword });
    const promotion = await changeSets.promote(ACTOR, {
      sandbox_id,
      source_sandbox_id: source,
      kind: 'item',
      record_ids: [item_id],
      include_referenced: true,
    });
    const { transaction_id } = await apply(promotion);
    const draft = await revert(sandbox_id, transaction_id);
    const shown = await preview(draft);
    // The Item goes first, so that at no position an Item lacks its table.
    expect(shown.operations.map(({ kind, warnings }) => [kind, warnings])).toEqual([
      ['item', undefined],
      ['xp', undefined],
    ]);
    await apply(draft);
    expect(await listItems(sandbox_id)).toEqual([]);
    expect(await xp.get({ sandbox_id, xp_id })).toMatchObject({ deleted: true });
  });
});

async function* piecesOf(text: string) {
  yield Buffer.from(text);
}
