import { expect, test } from 'vitest';
import { NO_EDIT, planBulkEdit } from './bulk-edit.ts';
import type { StoredRecord } from './record-kind.ts';
import { ITEM } from './record-kind.ts';

const anItem = (fields: object) =>
  ({
    name: 'Axe',
    item_type: 'unit',
    tags: [],
    custom_data: {},
    ...fields,
  }) as never as StoredRecord;

test('a bulk edit changes only the given fields, in the records that differ', () => {
  const records = [
    anItem({ tags: ['old', 'kept'], custom_data: { grip: 'wood', gone: '1' } }),
    anItem({ item_type: 'recipe', tags: ['kept', 'new'], custom_data: { rarity: 'rare' } }),
  ];
  const edit = {
    ...NO_EDIT,
    itemType: 'recipe',
    addTags: ['new'],
    removeTags: ['old'],
    setKey: 'rarity',
    setValue: 'rare',
    removeKey: 'gone',
  };
  expect(planBulkEdit(ITEM, records, edit)).toMatchObject([
    {
      record: records[0],
      patch: {
        item_type: 'recipe',
        tags: ['kept', 'new'],
        custom_data: { grip: 'wood', rarity: 'rare' },
      },
    },
  ]);
  expect(planBulkEdit(ITEM, records, NO_EDIT)).toEqual([]);
});

test('a bulk edit shows before saving what the service would reject', () => {
  const edit = { ...NO_EDIT, setKey: 'k'.repeat(129), setValue: 'v' };
  expect(planBulkEdit(ITEM, [anItem({})], edit)).toMatchObject([
    { problem: expect.stringContaining('128 characters') },
  ]);
});
