import { describe, expect, test } from 'vitest';
import { foldName, toContainsPattern } from './record.ts';

const finds = (filter: string, name: string) => foldName(name).includes(foldName(filter));

describe('folded names', () => {
  test.each([
    ['SWORD', 'Rusty sword'],
    ['strasse', 'Die Straße'],
    ['STRAẞE', 'straße'],
    ['ΟΔΟΣ', 'οδοσα'],
    ['οδος', 'ΟΔΟΣΑ'],
    ['caf\u00e9', 'CAFE\u0301'],
    ['istanbul', 'ıstanbul'],
    ['İstanbul', 'İSTANBUL'],
    ['éclair', 'ÉCLAIR'],
    ['ﬃ', 'OFFICE'],
  ])('%s is found in %s', (filter, name) => {
    expect(finds(filter, name)).toBe(true);
  });

  test('keeps different letters different', () => {
    expect(finds('cafe', 'cafés')).toBe(false);
    expect(finds('o', 'ö')).toBe(false);
  });

  test('is idempotent for every character with case', () => {
    for (let code = 1; code <= 0x1ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const folded = foldName(String.fromCodePoint(code));
      if (foldName(folded) !== folded) expect.fail(`U+${code.toString(16)} folds on`);
    }
  });
});

test('escapes wildcards of LIKE', () => {
  expect(toContainsPattern('50%_\\')).toBe('%50\\%\\_\\\\%');
});
