import { describe, expect, test } from 'vitest';
import type { EditDraft } from './record-edits.ts';
import { describeDraft, NEW_EDIT, readEdit, titleOf } from './record-edits.ts';
import type { StoredRecord } from './record-kind.ts';
import { ITEM } from './record-kind.ts';

const priced = (...prices: string[]) =>
  prices.map((price) => ({ custom_data: { price } })) as never as StoredRecord[];

const read = (draft: Partial<EditDraft>, known: StoredRecord[] = []) =>
  readEdit(ITEM, { ...NEW_EDIT, ...draft }, known, undefined);

describe('a change of many records in the form', () => {
  test('is a percentage for numbers, rounded as the known values are', () => {
    const draft = { ...NEW_EDIT, field: 'price', value: '− 20 %' };
    const edit = { op: 'add_percent', field: 'custom_data.price', value: '-20' };
    expect(read(draft, priced('500', '1000'))).toEqual({
      edit: { ...edit, rounding: { mode: 'nearest', digits: 0 } },
    });
    expect(read(draft, priced('4.99', '10'))).toEqual({
      edit: { ...edit, rounding: { mode: 'nearest', digits: 2 } },
    });
    expect(describeDraft(ITEM, draft, priced('500', 'free'), undefined).op).toBe('set');
    expect(read({ ...draft, rounding: 'none' }, priced('1'))).toEqual({ edit });
  });

  test('names fields by their labels, and any other text is a key of custom data', () => {
    expect(read({ field: 'item type', value: 'recipe' })).toEqual({
      edit: { op: 'set', field: 'item_type', value: 'recipe' },
    });
    expect(read({ field: ' season ', value: '4' })).toEqual({
      edit: { op: 'set', field: 'custom_data.season', value: '4' },
    });
    expect(read({ field: 'Name', find: 'Axe', value: '' })).toEqual({
      edit: { op: 'replace_text', field: 'name', find: 'Axe', value: '' },
    });
  });

  test('includes a tag that is typed but not confirmed', () => {
    expect(read({ field: 'Tags', tags: ['a'], typedTag: ' b ' })).toEqual({
      edit: { op: 'append_tags', tags: ['a', 'b'] },
    });
  });

  test.each([
    [{}, 'field'],
    [{ field: 'Tags' }, 'value'],
    [{ field: 'Item type' }, 'value'],
    [{ field: 'Name' }, 'find'],
    [{ field: 'price', op: 'add' as const, value: '1,5' }, 'value'],
  ])('with %o shows its problem at the input "%s"', (draft, input) => {
    expect(read(draft)).toMatchObject({ problem: { input } });
  });

  test('is checked by the schema of a key, which also decides what is usual', () => {
    const tier = { key: 'tier', type: 'choice', required: false, choices: ['1', '2'] } as const;
    const draft = { ...NEW_EDIT, field: 'tier', value: '3' };
    const known = [{ custom_data: { tier: '1' } }] as never as StoredRecord[];
    expect(readEdit(ITEM, draft, known, tier)).toEqual({
      problem: { input: 'value', text: 'Must be one of 1, 2' },
    });
    expect(readEdit(ITEM, { ...draft, value: '2' }, known, tier)).toEqual({
      edit: { op: 'set', field: 'custom_data.tier', value: '2' },
    });
    const level = { key: 'level', type: 'integer', required: false } as const;
    const leveled = [{ custom_data: { level: 'none' } }] as never as StoredRecord[];
    const field = { ...NEW_EDIT, field: 'level' };
    expect(describeDraft(ITEM, field, leveled, level).op).toBe('add_percent');
    expect(describeDraft(ITEM, field, [], level).op).toBe('set');
  });

  test('gives the change set its title', () => {
    const field = 'custom_data.price';
    const percent = { op: 'add_percent', field, value: '-20' } as const;
    expect(titleOf([percent])).toBe('Change price by -20 %');
    expect(titleOf([{ op: 'append_tags', tags: ['a', 'b'] }, percent])).toBe(
      'Add tags: a, b and 1 more',
    );
    const long = titleOf([{ op: 'set', field, value: 'x'.repeat(4_000) }, percent]);
    expect(long.length).toBeLessThan(256);
  });
});
