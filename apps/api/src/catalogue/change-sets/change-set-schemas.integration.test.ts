// Which values of a change set have to fit the schemas of the sandbox.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSetCalls, refOf } from '../testing/change-set-calls.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const { apply, preview, revert } = createSetCalls(() => opened);

const addItem = async (sandbox_id: string, name: string, price: string) => {
  const item = { sandbox_id, ...anItem(name), custom_data: { price } };
  return (await opened.catalogue.items.create(ACTOR, item)).item_id;
};

/** Before it is set, anything fits. */
const setSchema = (sandbox_id: string) =>
  opened.catalogue.itemSchemas.set(ACTOR, {
    sandbox_id,
    item_type: 'unit',
    expected_version: 0,
    fields: [{ key: 'price', type: 'number', required: true }],
  });

const INVALID = {
  code: 'change_set_conflict',
  evidence: { facts: { problem_code: 'custom_data_invalid' } },
};

test.each(['addOperations', 'addMatching'] as const)(
  'values that %s adds to a promotion have to fit',
  async (procedure) => {
    const [source, sandbox_id] = [await opened.addSandbox('Staging'), await opened.addSandbox()];
    const record_ids = [await addItem(source, 'Axe', '5')];
    const item_id = await addItem(sandbox_id, 'Sword', '5');
    await setSchema(sandbox_id);
    const { changeSets } = opened.catalogue;
    const promotion = await changeSets.promote(ACTOR, {
      sandbox_id,
      source_sandbox_id: source,
      kind: 'item',
      include_referenced: true,
      record_ids,
    });
    const add = {
      addOperations: () =>
        changeSets.addOperations(ACTOR, {
          ...refOf(promotion),
          operations: [
            {
              kind: 'item',
              operation: 'update',
              item_id,
              expected_version: 1,
              custom_data: { price: 'free' },
            },
          ],
        }),
      addMatching: () =>
        changeSets.addMatching(ACTOR, {
          ...refOf(promotion),
          matching: {
            kind: 'item',
            ids: [item_id],
            operation: 'update',
            edits: [{ op: 'set', field: 'custom_data.price', value: 'free' }],
          },
        }),
    };
    await expect(apply(await add[procedure]())).rejects.toMatchObject(INVALID);
    const item = await opened.catalogue.items.get({ sandbox_id, item_id });
    expect(item).toMatchObject({ version: 1, custom_data: { price: '5' } });
  },
);

test('a revert without some of its operations still only warns', async () => {
  const sandbox_id = await opened.addSandbox();
  const old = await addItem(sandbox_id, 'Sword', 'cheap');
  const other = await addItem(sandbox_id, 'Axe', 'dear');
  const { items, changeSets } = opened.catalogue;
  const operations = [old, other].map((item_id) => ({
    operation: 'update' as const,
    item_id,
    expected_version: 1,
    custom_data: { price: '5' },
  }));
  const { transaction_id } = await items.bulk(ACTOR, { sandbox_id, operations });
  await setSchema(sandbox_id);
  const whole = await revert(sandbox_id, transaction_id);
  const records = [{ kind: 'item' as const, record_id: other }];
  const undo = await changeSets.removeOperations(ACTOR, { ...refOf(whole), records });
  expect(await preview(undo)).toMatchObject({
    counts: { changes: 1, problems: 0 },
    operations: [
      { warnings: ['Does not fit the schema: price: Must be a number in decimal digits.'] },
    ],
  });
  await apply(undo);
  const values = [old, other].map(async (item_id) => {
    const { custom_data } = await items.get({ sandbox_id, item_id });
    return custom_data;
  });
  expect(await Promise.all(values)).toEqual([{ price: 'cheap' }, { price: '5' }]);
});
