import { describe, expect, test } from 'vitest';
import { readJson, writeJson } from './read-json.ts';
import { ITEM, XP } from './record-kind.ts';

const AXE = { name: 'Axe', item_type: 'unit', tags: ['a'], custom_data: { grip: 'wood' } };

describe('JSON of a record', () => {
  test('is read as it was written', () => {
    expect(readJson(ITEM, writeJson(AXE))).toEqual({ fields: AXE });
    const table = { name: 'T', xp_thresholds: [{ level: 1, xp: 0 }], custom_data: {} };
    expect(writeJson(table)).toContain('    { "level": 1, "xp": 0 }\n');
    expect(readJson(XP, writeJson(table))).toEqual({ fields: table });
  });

  test.each([
    ['{\n  "name": "Axe"\n  "item_type": "unit"\n}', 3, /comma/],
    ['{\n  "name": Axe\n}', 2, /quotes/],
    ['{\n  "name": "Axe",\n  "item_type": "unit",\n}', 4, /field name/],
    ['', 1, /value|JSON/i],
    ['[]', 1, /object/],
  ])('that is none is refused at its line: %j', (text, line, message) => {
    expect(readJson(ITEM, text)).toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ line, message: expect.stringMatching(message) }),
      ]),
    });
  });

  test('with a duplicate key is rejected at the second one', () => {
    const text =
      '{\n  "name": "A",\n  "item_type": "unit",\n  "custom_data": {\n    "k": "1",\n    "k": "2"\n  }\n}';
    expect(readJson(ITEM, text)).toMatchObject({
      problems: [{ line: 6, message: '"k" occurs more than once.' }],
    });
  });

  test('that breaks a rule is rejected at its line', () => {
    const text =
      '{\n  "name": "T",\n  "xp_thresholds": [\n    { "level": 2, "xp": 5 },\n    { "level": 1, "xp": 9 }\n  ]\n}';
    expect(readJson(XP, text)).toMatchObject({
      problems: [
        {
          line: 5,
          message: 'xp_thresholds.1.level: Must be greater than the level before (2).',
        },
      ],
    });
    expect(
      readJson(ITEM, '{\n  "name": "A",\n  "item_type": "unit",\n  "tgas": []\n}'),
    ).toMatchObject({
      problems: [{ line: 4, message: expect.stringContaining('tgas') }],
    });
  });
});
