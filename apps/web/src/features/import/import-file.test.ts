import { expect, test } from 'vitest';
import { recogniseFormat } from './import-file.ts';

test('a format is recognised by the name of the file, whatever is in it', () => {
  expect(recogniseFormat('Items.CSV', '{')).toBe('csv');
  expect(recogniseFormat('items.jsonl', 'name')).toBe('ndjson');
});

test('pasted text is NDJSON when it begins with an object, or with the list of a JSON file', () => {
  expect(recogniseFormat('', '[\n  {"name": "Axe"}]')).toBe('ndjson');
  expect(recogniseFormat('', '\uFEFF {"name": "Axe"}')).toBe('ndjson');
  expect(recogniseFormat('', 'name,item_type')).toBe('csv');
});
