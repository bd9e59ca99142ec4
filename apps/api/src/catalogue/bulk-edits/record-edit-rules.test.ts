import { describe, expect, test } from 'vitest';
import { ITEM, XP } from '../records/record.ts';
import type { RecordEdit } from './record-edit-inputs.ts';
import { planUpdate } from './record-edit-rules.ts';

const RECORD = { recordId: '0190b2c4-0000-7000-8000-000000000001', version: 3 };
const PRICE = 'custom_data.price';

const plan = (fields: object, ...edits: RecordEdit[]) =>
  planUpdate(
    ITEM,
    {
      ...RECORD,
      snapshot: JSON.stringify({
        item_id: RECORD.recordId,
        name: 'Axe',
        item_type: 'unit',
        tags: ['old'],
        custom_data: {},
        ...fields,
      }),
    },
    edits,
  );

const planPrice = (price: string, edit: Omit<RecordEdit & { value: string }, 'field'>) =>
  plan({ custom_data: { price, rarity: 'rare' } }, { field: PRICE, ...edit } as RecordEdit);

describe('a number of custom data', () => {
  test.each([
    ['19.99', { op: 'multiply', value: '0.8', rounding: { mode: 'nearest', digits: 0 } }, '16'],
    ['19.99', { op: 'add_percent', value: '-20' }, '15.992'],
    ['5.00', { op: 'multiply', value: '0.8' }, '4.00'],
    ['5.00', { op: 'multiply', value: '0.8', rounding: { mode: 'nearest', digits: 0 } }, '4'],
    ['5.00', { op: 'multiply', value: '0.3', rounding: { mode: 'up', digits: 1 } }, '1.5'],
    ['0.1', { op: 'add', value: '0.2' }, '0.3'],
    ['9007199254740993', { op: 'add', value: '-1' }, '9007199254740992'],
  ] as const)('%s with %o becomes %s', (price, edit, expected) => {
    expect(planPrice(price, edit as never)).toEqual({
      kind: 'item',
      recordId: RECORD.recordId,
      operation: 'update',
      baseVersion: 3,
      versionId: null,
      fields: { custom_data: { price: expected, rarity: 'rare' } },
    });
  });

  test('has a problem when the old value is absent, no number, or gets too many digits', () => {
    const half = { op: 'multiply', value: '0.5' } as const;
    expect(planPrice('free', half)).toMatchObject({
      fields: {},
      problem: 'custom_data.price is not a number: "free".',
    });
    expect(plan({}, { field: PRICE, ...half })).toMatchObject({
      problem: 'custom_data.price has no value.',
    });
    const tooLarge = planPrice('9'.repeat(30), { op: 'multiply', value: '10' });
    expect(tooLarge).toMatchObject({ problem: expect.stringContaining('more than 30 digits') });
  });
});

describe('the other changes of a record', () => {
  test('are made in order, and name only the fields that differ', () => {
    const planned = plan(
      { description: 'A season 1 axe', custom_data: { season: '1', gone: 'x' } },
      { op: 'set', field: 'item_type', value: 'recipe' },
      { op: 'set', field: 'custom_data.season', value: '2' },
      { op: 'clear', field: 'custom_data.gone' },
      { op: 'replace_text', field: 'description', find: 'season 1', value: 'season $&' },
      { op: 'append_tags', tags: ['new', 'old'] },
      { op: 'remove_tags', tags: ['old'] },
    );
    expect(planned?.fields).toEqual({
      item_type: 'recipe',
      custom_data: { season: '2' },
      description: 'A season $& axe',
      tags: ['new'],
    });
    const cleared = plan({ description: 'Sharp' }, { op: 'clear', field: 'description' });
    expect(cleared?.fields).toEqual({ description: null });
    expect(plan({}, { op: 'clear', field: 'tags' })?.fields).toEqual({ tags: [] });
  });

  test('are nothing when the record is already as wanted', () => {
    expect(plan({}, { op: 'append_tags', tags: ['old'] })).toBeNull();
    expect(plan({}, { op: 'clear', field: PRICE })).toBeNull();
    const replace = { op: 'replace_text', field: 'description', find: 'a', value: 'b' } as const;
    expect(plan({}, replace)).toBeNull();
  });

  test('have a problem when the result is not a valid record', () => {
    const edits: RecordEdit[] = [
      { op: 'set', field: 'item_type', value: 'sword' },
      { op: 'set', field: 'level_xp_table_id', value: 'levels' },
      { op: 'replace_text', field: 'name', find: 'Axe', value: '' },
      { op: 'set', field: `custom_data.${'k'.repeat(129)}`, value: 'v' },
      { op: 'set', field: 'custom_data.__proto__', value: 'v' },
    ];
    for (const edit of edits) {
      expect(plan({}, edit), edit.op).toMatchObject({ problem: expect.any(String) });
    }
  });

  test('apply to Xp tables', () => {
    const snapshot = JSON.stringify({ xp_id: RECORD.recordId, name: 'Levels', xp_thresholds: [] });
    const edit = { op: 'set', field: 'description', value: 'Slow' } as const;
    expect(planUpdate(XP, { ...RECORD, snapshot }, [edit])).toMatchObject({
      kind: 'xp',
      fields: { description: 'Slow' },
    });
  });
});
