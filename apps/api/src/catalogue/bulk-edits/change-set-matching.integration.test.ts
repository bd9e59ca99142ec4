// Changes of many records that the service computes, as operations of a change set.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSetCalls, refOf } from '../testing/change-set-calls.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, anXp, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const { apply, preview, revert, expectChain } = createSetCalls(() => opened);

type Fields = { tags?: string[]; custom_data?: Record<string, string> };

const addItems = async (sandbox_id: string, items: readonly (Fields & { name: string })[]) => {
  const operations = items.map((fields) => ({
    operation: 'create' as const,
    ...anItem(fields.name),
    ...fields,
  }));
  const { records } = await opened.catalogue.items.bulk(ACTOR, { sandbox_id, operations });
  return records;
};

type Matching = Parameters<TestCatalogue['catalogue']['changeSets']['addMatching']>[1]['matching'];

const addMatching = async (sandbox_id: string, matching: Matching) => {
  const { changeSets } = opened.catalogue;
  const set = await changeSets.create(ACTOR, { sandbox_id, title: 'Weekend sale' });
  return changeSets.addMatching(ACTOR, { ...refOf(set), matching });
};

const readPrice = async (sandbox_id: string, item_id: string) =>
  (await opened.catalogue.items.get({ sandbox_id, item_id })).custom_data.price;

const price = 'custom_data.price';
const all = { include_deleted: false };
const discount = {
  op: 'add_percent',
  field: price,
  value: '-20',
  rounding: { mode: 'nearest', digits: 0 },
} as const;
const dearSwords = {
  ...all,
  tag: 'sword',
  where: { and: [{ field: price, op: 'gt' as const, value: '500' }] },
};

describe('a change of all records that match a filter', () => {
  test('is computed from the filter of the list, applied as one edit, and reverted', async () => {
    const sandbox_id = await opened.addSandbox();
    const sword = (name: string, value: string) => ({
      name,
      tags: ['sword'],
      custom_data: { price: value, rarity: 'rare' },
    });
    const [dear, cheap, axe, dearest] = await addItems(sandbox_id, [
      sword('Dear', '999.99'),
      sword('Cheap', '500'),
      { name: 'Axe', custom_data: { price: '900' } },
      sword('Dearest', '1001'),
    ]);
    const set = await addMatching(sandbox_id, {
      kind: 'item',
      filter: dearSwords,
      operation: 'update',
      edits: [discount],
    });
    expect(set).toMatchObject({ operation_count: 2, revision: 2 });
    const { operations, counts } = await preview(set);
    expect(counts).toEqual({ changes: 2, unchanged: 0, problems: 0, warnings: 0 });
    expect(operations.map(({ name }) => name)).toEqual(['Dear', 'Dearest']);
    const applied = await apply(set);
    const prices = [dear, cheap, axe, dearest].map((item) =>
      readPrice(sandbox_id, item?.item_id ?? ''),
    );
    expect(await Promise.all(prices)).toEqual(['800', '500', '900', '801']);
    const undo = await revert(sandbox_id, applied.transaction_id);
    await apply(undo);
    expect(await readPrice(sandbox_id, dear?.item_id ?? '')).toBe('999.99');
    expect(await expectChain(sandbox_id)).toBe(8);
  });

  test('covers more records than one bulk edit may name', async () => {
    const sandbox_id = await opened.addSandbox();
    for (let at = 0; at < 1_100; at += 550) {
      const items = Array.from({ length: 550 }, (_, index) => ({
        name: `Sword ${at + index}`,
        custom_data: { price: String(at + index) },
      }));
      await addItems(sandbox_id, items);
    }
    const set = await addMatching(sandbox_id, {
      kind: 'item',
      filter: { ...all, where: { and: [{ field: price, op: 'gte', value: '10' }] } },
      operation: 'update',
      edits: [{ op: 'multiply', field: price, value: '1.1' }],
    });
    expect(set.operation_count).toBe(1_090);
    const { counts } = await preview(set);
    expect(counts).toEqual({ changes: 1_090, unchanged: 0, problems: 0, warnings: 0 });
    const { transaction_id } = await apply(set);
    const edits = await opened.catalogue.items.list({
      sandbox_id,
      ...all,
      page_size: 1,
      where: { and: [{ field: price, op: 'eq', value: '1208.9' }] },
    });
    expect(edits.records).toMatchObject([{ name: 'Sword 1099', transaction_id }]);
  }, 120_000);

  test('deletes and restores them', async () => {
    const sandbox_id = await opened.addSandbox();
    await addItems(sandbox_id, [{ name: 'Axe 1' }, { name: 'Axe 2' }, { name: 'Bow' }]);
    const axes = { kind: 'item', filter: { name: 'axe', include_deleted: true } } as const;
    await apply(await addMatching(sandbox_id, { ...axes, operation: 'delete' }));
    const again = await addMatching(sandbox_id, { ...axes, operation: 'delete' });
    expect(again.operation_count).toBe(0);
    const trash = { kind: 'item', filter: { include_deleted: false, only_deleted: true } } as const;
    const restored = await addMatching(sandbox_id, { ...trash, operation: 'restore' });
    expect(restored.operation_count).toBe(2);
    await apply(restored);
    const { records } = await opened.catalogue.items.list({ sandbox_id, ...all, page_size: 10 });
    expect(records.map(({ name }) => name)).toEqual(['Axe 1', 'Axe 2', 'Bow']);
  });

  test('finds Xp tables by their filter as well', async () => {
    const sandbox_id = await opened.addSandbox();
    await opened.catalogue.xp.create(ACTOR, { sandbox_id, ...anXp('Slow') });
    const set = await addMatching(sandbox_id, {
      kind: 'xp',
      filter: { ...all, where: { and: [{ field: 'levels', op: 'lt', value: '1' }] } },
      operation: 'update',
      edits: [{ op: 'set', field: 'description', value: 'No levels yet' }],
    });
    const { operations } = await preview(set);
    expect(operations).toMatchObject([
      { kind: 'xp', name: 'Slow', changes: [{ after: 'No levels yet' }] },
    ]);
  });
});

describe('a record that cannot be changed', () => {
  test('is a problem of the preview, and the set applies only after it was removed', async () => {
    const sandbox_id = await opened.addSandbox();
    const [sword, gift, gone] = await addItems(sandbox_id, [
      { name: 'Sword', custom_data: { price: '10' } },
      { name: 'Gift', custom_data: { price: 'free' } },
      { name: 'Gone', custom_data: { price: '10' } },
    ]);
    const goneId = gone?.item_id ?? '';
    const unknown = randomUUID();
    await opened.catalogue.items.delete(ACTOR, {
      sandbox_id,
      item_id: goneId,
      expected_version: 1,
    });
    const ids = [sword, gift, gone].map((item) => item?.item_id ?? '');
    const set = await addMatching(sandbox_id, {
      kind: 'item',
      ids: [...ids, unknown, ...ids],
      operation: 'update',
      edits: [discount],
    });
    const { operations, counts } = await preview(set);
    expect(counts).toEqual({ changes: 1, unchanged: 0, problems: 3, warnings: 0 });
    expect(operations.map(({ name, problem }) => [name, problem?.error_code])).toEqual([
      ['Sword', undefined],
      ['Gift', 'input_invalid'],
      ['Gone', 'record_deleted'],
      [unknown, 'record_not_found'],
    ]);
    expect(operations[1]?.problem?.desc).toBe('custom_data.price is not a number: "free".');
    const notComputable = operations.map(({ problem }) => problem?.not_computable);
    expect(notComputable).toEqual([undefined, true, undefined, undefined]);
    const where = { changeSetId: set.change_set_id, recordId: gift?.item_id ?? '' };
    const stored = await opened.database.prisma.changeSetOperation.findFirstOrThrow({ where });
    expect(stored.baseVersion).toBe(0n);
    await expect(apply(set)).rejects.toMatchObject({
      code: 'change_set_conflict',
      evidence: { facts: { problems: 3, record_id: gift?.item_id } },
    });
    const { changeSets } = opened.catalogue;
    const computed = await changeSets.removeOperations(ACTOR, {
      ...refOf(set),
      not_computable: true,
    });
    expect(computed.operation_count).toBe(3);
    const left = await changeSets.removeOperations(ACTOR, {
      ...refOf(set),
      records: [goneId, unknown].map((record_id) => ({ kind: 'item', record_id })),
    });
    await apply(left);
    expect(await readPrice(sandbox_id, sword?.item_id ?? '')).toBe('8');
    expect(await readPrice(sandbox_id, gift?.item_id ?? '')).toBe('free');
  });

  test('is a conflict when another edit has changed the same value since', async () => {
    const sandbox_id = await opened.addSandbox();
    const [sword, bow] = await addItems(sandbox_id, [
      { name: 'Sword', custom_data: { price: '10' } },
      { name: 'Bow', custom_data: { price: '10' } },
    ]);
    const set = await addMatching(sandbox_id, {
      kind: 'item',
      filter: all,
      operation: 'update',
      edits: [discount],
    });
    const edit = (item_id: string | undefined, fields: object) =>
      opened.catalogue.items.update(ACTOR, {
        sandbox_id,
        item_id: item_id ?? '',
        expected_version: 1,
        ...fields,
      });
    await edit(bow?.item_id, { description: 'Bends' });
    await edit(sword?.item_id, { custom_data: { price: '11' } });
    const { operations, counts } = await preview(set);
    expect(counts).toEqual({ changes: 1, unchanged: 0, problems: 1, warnings: 0 });
    expect(operations.map(({ problem }) => problem?.error_code)).toEqual([
      undefined,
      'record_version_conflict',
    ]);
    await expect(apply(set)).rejects.toMatchObject({ code: 'change_set_conflict' });
    expect(await readPrice(sandbox_id, bow?.item_id ?? '')).toBe('10');
  });
});

describe('a cancelled change set', () => {
  test('has no operations, and is gone when it was discarded', async () => {
    const sandbox_id = await opened.addSandbox();
    await addItems(sandbox_id, [{ name: 'Sword' }]);
    const { changeSets } = opened.catalogue;
    const remove = { kind: 'item', filter: all, operation: 'delete' } as const;
    const kept = await addMatching(sandbox_id, remove);
    const cancelled = await changeSets.cancel(ACTOR, refOf(kept));
    expect(cancelled).toMatchObject({ state: 'cancelled', operation_count: 0 });
    const discarded = await addMatching(sandbox_id, remove);
    await changeSets.cancel(ACTOR, { ...refOf(discarded), discard: true });
    const { change_sets } = await changeSets.list({ sandbox_id }, null, 10);
    expect(change_sets).toEqual([cancelled]);
    const { prisma } = opened.database;
    const where = { sandboxId: sandbox_id };
    expect(await prisma.changeSetOperation.count({ where })).toBe(0);
    const actions = await prisma.auditRecord.count({
      where: { ...where, action: 'changeSets.cancel' },
    });
    expect(actions).toBe(2);
  });
});
