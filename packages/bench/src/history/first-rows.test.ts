import { expect, test } from 'vitest';
import { itemAfterSkipping, itemBefore, newestOf, newestOfWord } from './first-rows.ts';
import { RARE_WORDS, toHistorySize } from './history-data.ts';

const size = toHistorySize(10_000);

/** As `history-data.ts` makes them in SQL: edit after edit goes round the records. */
const versions = Array.from({ length: size.versions }, (_, index) => ({
  seq: index + 1,
  record: (index % size.records) + 1,
}));
const items = versions.filter(({ record }) => record % 50 !== 0).reverse();

test('a walk goes on with the newest Item before its place', () => {
  for (const place of [size.versions + 1, 5_002, 5_001, 5_000, 4_999]) {
    expect(itemBefore(place)).toBe(items.find(({ seq }) => seq < place)?.seq);
  }
});

test('skipping counts Items only', () => {
  for (const skipped of [0, 1, 48, 49, 50, 4_899, 4_900, 4_901]) {
    expect(itemAfterSkipping(size, skipped)).toBe(items[skipped]?.seq);
  }
});

test('the newest version of a record or of a word is the last of its edits', () => {
  expect(newestOf(size, 7)).toBe(items.find(({ record }) => record === 7)?.seq);
  for (const index of RARE_WORDS.keys()) {
    const newest = items.find(({ record }) => record % (size.records / 10) === index + 1);
    expect(newestOfWord(size, index)).toBe(newest?.seq);
  }
});
