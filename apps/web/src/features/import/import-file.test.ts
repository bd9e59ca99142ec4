import { expect, test } from 'vitest';
import { recogniseFormat } from './import-file.ts';

test('detects the format by the file name, regardless of the content', () => {
  expect(recogniseFormat('Items.CSV', '{')).toBe('csv');
  expect(recogniseFormat('items.jsonl', 'name')).toBe('ndjson');
});

test('detects NDJSON in pasted text that starts with an object or a JSON array', () => {
  expect(recogniseFormat('', '[\n  {"name": "Axe"}]')).toBe('ndjson');
  expect(recogniseFormat('', '\uFEFF {"name": "Axe"}')).toBe('ndjson');
  expect(recogniseFormat('', 'name,item_type')).toBe('csv');
});
