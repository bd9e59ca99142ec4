// Promotions: change sets that give records of a sandbox the values that they have in another one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSetCalls, refOf } from '../testing/change-set-calls.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, anXp, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const { apply, preview, expectChain, readContents } = createSetCalls(() => opened);

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const add = (sandbox_id: string, number: number, fields: object = {}) =>
  opened.catalogue.items.create(ACTOR, {
    sandbox_id,
    item_id: idOf(number),
    ...anItem(`Item ${number}`),
    ...fields,
  });

const remove = (sandbox_id: string, number: number) =>
  opened.catalogue.items.delete(ACTOR, {
    sandbox_id,
    item_id: idOf(number),
    expected_version: 1,
  });

const getItem = (sandbox_id: string, number: number) =>
  opened.catalogue.items.get({ sandbox_id, item_id: idOf(number) });

const HEROES = idOf(101);

const addTable = (sandbox_id: string, fields: object = {}) =>
  opened.catalogue.xp.create(ACTOR, {
    sandbox_id,
    xp_id: HEROES,
    ...anXp('Heroes'),
    ...fields,
  });

const openPair = async () => {
  const source = await opened.addSandbox('Staging');
  const target = await opened.addSandbox('Production');
  return { source, target };
};

/** 1 in the source only, 2 in the target only, 3 different, 4 and 5 the same. */
const fillPair = async () => {
  const pair = await openPair();
  const { source, target } = pair;
  await add(source, 1);
  await add(target, 2);
  await add(source, 3, { description: 'New', custom_data: { damage: '5' } });
  await add(target, 3, { tags: ['old'], custom_data: { damage: '4' } });
  for (const sandbox of [source, target]) await add(sandbox, 4, { custom_data: { a: '1' } });
  await add(source, 5, { custom_data: { a: '1', b: '2' } });
  await add(target, 5, { custom_data: { b: '2', a: '1' } });
  return pair;
};

type Pair = Awaited<ReturnType<typeof openPair>>;
type Input = Parameters<TestCatalogue['catalogue']['changeSets']['promote']>[1];

const promote = ({ source, target }: Pair, input: Partial<Input> = {}) =>
  opened.catalogue.changeSets.promote(ACTOR, {
    sandbox_id: target,
    source_sandbox_id: source,
    kind: 'item',
    include_referenced: true,
    ...input,
  });

const ids = (...numbers: number[]) => ({ record_ids: numbers.map(idOf) });

const shown = async (draft: Parameters<typeof preview>[0]) =>
  (await preview(draft)).operations.map(({ record_id, operation }) => [record_id, operation]);

describe('a promotion', () => {
  test('is a draft that copies the chosen records, and that can be reverted as one', async () => {
    const pair = await fillPair();
    const before = await readContents(pair.target);
    const draft = await promote(pair, { ...ids(1, 3, 4, 5), reason: 'Release 7' });
    expect(draft).toMatchObject({
      state: 'draft',
      title: 'Promotion from Staging',
      reason: 'Release 7',
      operation_count: 2,
    });
    expect(await readContents(pair.target)).toEqual(before);
    expect(await preview(draft)).toMatchObject({
      operations: [
        { record_id: idOf(1), operation: 'create' },
        {
          record_id: idOf(3),
          operation: 'update',
          changes: [
            { path: ['tags', 'old'], change: 'removed' },
            { path: ['custom_data', 'damage'], before: '4', after: '5' },
            { path: ['description'], change: 'added', after: 'New' },
          ],
        },
      ],
      counts: { changes: 2, unchanged: 0, problems: 0 },
    });
    const { transaction_id } = await apply(draft);
    const { target, source } = pair;
    for (const number of [1, 3]) {
      const { name, tags, custom_data, description } = await getItem(source, number);
      const copied = { name, tags, custom_data, ...(description && { description }) };
      expect(await getItem(target, number)).toMatchObject(copied);
    }
    await expectChain(target);
    const audit = { sandboxId: target, action: 'changeSets.promote' };
    expect(await opened.database.prisma.auditRecord.findMany({ where: audit })).toMatchObject([
      {
        target: { change_set_id: draft.change_set_id },
        after: { operation_count: 2, source_sandbox_id: source, source_head_seq: 4 },
        reason: 'Release 7',
      },
    ]);
    const input = { sandbox_id: target, transaction_id: transaction_id ?? '' };
    await apply(await opened.catalogue.changeSets.revertEdit(ACTOR, input));
    expect(await readContents(target)).toEqual(before);
  });

  test('takes all that differ without a choice, or those with one status, and keeps the others', async () => {
    const pair = await fillPair();
    const all = await promote(pair);
    expect(await shown(all)).toEqual([
      [idOf(1), 'create'],
      [idOf(3), 'update'],
    ]);
    expect(await shown(await promote(pair, { status: 'different' }))).toEqual([
      [idOf(3), 'update'],
    ]);
    await apply(all);
    expect(await promote(pair)).toMatchObject({ operation_count: 0 });
    expect(await getItem(pair.target, 2)).toMatchObject({ name: 'Item 2' });
  });

  test('restores records that the target deleted, with the values of the source, and deletes those that the source deleted', async () => {
    const pair = await fillPair();
    await remove(pair.target, 3);
    await remove(pair.source, 4);
    const draft = await promote(pair, ids(3, 4));
    expect(await shown(draft)).toEqual([
      [idOf(3), 'restore'],
      [idOf(4), 'delete'],
    ]);
    await apply(draft);
    expect(await getItem(pair.target, 3)).toMatchObject({ description: 'New', tags: [] });
    expect(await getItem(pair.target, 4)).toMatchObject({ deleted: true });
    expect(await promote(pair, ids(3, 4))).toMatchObject({ operation_count: 0 });
    await expectChain(pair.target);
  });

  test('is merged with edits of the target since then, also of a record that is restored', async () => {
    const pair = await fillPair();
    const { source, target } = pair;
    await remove(target, 3);
    await add(source, 6, { description: 'New' });
    await add(target, 6, { tags: ['own'] });
    await opened.catalogue.items.update(ACTOR, {
      sandbox_id: source,
      item_id: idOf(6),
      expected_version: 1,
      tags: ['own'],
    });
    const draft = await promote(pair, ids(3, 6));
    const edit = { sandbox_id: target, item_id: idOf(3) };
    await opened.catalogue.items.restore(ACTOR, { ...edit, expected_version: 2 });
    const later = { custom_data: { damage: '4', range: '9' } };
    await opened.catalogue.items.update(ACTOR, { ...edit, expected_version: 3, ...later });
    await opened.catalogue.items.update(ACTOR, {
      sandbox_id: target,
      item_id: idOf(6),
      expected_version: 1,
      name: 'Own name',
    });
    await apply(draft);
    expect(await getItem(target, 3)).toMatchObject({
      description: 'New',
      custom_data: { damage: '5', range: '9' },
    });
    expect(await getItem(target, 6)).toMatchObject({ name: 'Own name', description: 'New' });
  });

  test('copies a legacy id, keeps one that the source lacks, and shows one that cannot be taken', async () => {
    const pair = await openPair();
    const { source, target } = pair;
    await add(source, 6, { legacy_item_id: 60 });
    await add(source, 7, { description: 'x' });
    await add(target, 7, { legacy_item_id: 70 });
    await apply(await promote(pair, ids(6, 7)));
    expect(await getItem(target, 6)).toMatchObject({ legacy_item_id: 60 });
    expect(await getItem(target, 7)).toMatchObject({ legacy_item_id: 70, description: 'x' });
    await add(source, 8, { legacy_item_id: 80 });
    await add(target, 8, { legacy_item_id: 88 });
    await add(source, 9, { legacy_item_id: 70 });
    const draft = await promote(pair, ids(8, 9, 10));
    const { operations } = await preview(draft);
    expect(operations.map(({ problem }) => problem?.error_code)).toEqual([
      'input_invalid',
      'legacy_id_taken',
      'input_invalid',
    ]);
    expect(operations[2]?.problem).toMatchObject({
      desc: 'Only in Production; nothing to promote.',
      not_computable: true,
    });
    await expect(apply(draft)).rejects.toMatchObject({ code: 'change_set_conflict' });
  });

  test('is refused for the same sandbox twice, and for one that is not there or is archived', async () => {
    const pair = await openPair();
    const { source, target } = pair;
    await expect(promote({ source, target: source })).rejects.toMatchObject({
      code: 'input_invalid',
    });
    for (const unknown of [
      { source: idOf(999), target },
      { source, target: idOf(999) },
    ]) {
      await expect(promote(unknown)).rejects.toMatchObject({ code: 'sandbox_not_found' });
    }
    const authority = { administers: true, confirmedName: undefined };
    await opened.catalogue.sandboxes.archive(ACTOR, { sandbox_id: target }, authority);
    await expect(promote(pair)).rejects.toMatchObject({ code: 'sandbox_archived' });
  });
});

describe('an Item whose Xp table the target lacks', () => {
  const WARNING = [`This sandbox has no Xp table with the id ${HEROES}.`];
  const makePair = async () => {
    const pair = await openPair();
    await addTable(pair.source);
    for (const number of [1, 2]) await add(pair.source, number, { level_xp_table_id: HEROES });
    return pair;
  };

  test('is promoted after its table, which is written once', async () => {
    const pair = await makePair();
    const draft = await promote(pair);
    const { operations } = await preview(draft);
    expect(operations.map(({ kind, record_id, warnings }) => [kind, record_id, warnings])).toEqual([
      ['xp', HEROES, undefined],
      ['item', idOf(1), undefined],
      ['item', idOf(2), undefined],
    ]);
    await apply(draft);
    const { xp } = opened.catalogue;
    expect(await xp.get({ sandbox_id: pair.target, xp_id: HEROES })).toMatchObject({
      name: 'Heroes',
    });
    expect(await promote(pair)).toMatchObject({ operation_count: 0 });
  });

  test('is promoted with a warning without it, or when the source lacks it as well', async () => {
    const pair = await makePair();
    const draft = await promote(pair, { ...ids(1), include_referenced: false });
    const { operations, counts } = await preview(draft);
    expect(operations).toMatchObject([{ record_id: idOf(1), warnings: WARNING }]);
    expect(counts).toEqual({ changes: 1, unchanged: 0, problems: 0, warnings: 1 });
    const { xp } = opened.catalogue;
    await xp.delete(ACTOR, { sandbox_id: pair.source, xp_id: HEROES, expected_version: 1 });
    await add(pair.source, 3);
    const both = await promote(pair, { record_ids: [idOf(2), idOf(3)] });
    const second = await opened.catalogue.changeSets.preview(
      ACTOR,
      { ...refOf(both), only_warnings: true },
      null,
      50,
    );
    expect(second.operations).toMatchObject([{ record_id: idOf(2), warnings: WARNING }]);
    expect(second.counts).toMatchObject({ changes: 2, warnings: 1 });
    await apply(draft);
    expect(await getItem(pair.target, 1)).toMatchObject({ level_xp_table_id: HEROES });
  });

  test('restores a table that the target deleted, and does not change one that the target has', async () => {
    const pair = await makePair();
    const { xp } = opened.catalogue;
    const table = { sandbox_id: pair.target, xp_id: HEROES };
    await addTable(pair.target, { name: 'Old heroes' });
    expect(await shown(await promote(pair))).toEqual([
      [idOf(1), 'create'],
      [idOf(2), 'create'],
    ]);
    await xp.delete(ACTOR, { ...table, expected_version: 1 });
    const draft = await promote(pair);
    expect((await shown(draft))[0]).toEqual([HEROES, 'restore']);
    await apply(draft);
    const restored = await xp.get(table);
    expect(restored).toMatchObject({ name: 'Heroes' });
    expect(restored).not.toHaveProperty('deleted');
  });

  test('is named by the warning of a promotion that deletes its table', async () => {
    const pair = await makePair();
    await apply(await promote(pair));
    const { xp } = opened.catalogue;
    await xp.delete(ACTOR, { sandbox_id: pair.source, xp_id: HEROES, expected_version: 1 });
    const draft = await promote(pair, { kind: 'xp', record_ids: [HEROES] });
    expect((await preview(draft)).operations).toMatchObject([
      { operation: 'delete', warnings: ['Items still use this Xp table, for example Item 1.'] },
    ]);
  });
});
