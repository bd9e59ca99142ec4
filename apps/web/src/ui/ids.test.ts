import { expect, test } from 'vitest';
import { shortenId } from './ids.ts';

test('ids created in the same millisecond have different short forms', () => {
  expect(shortenId('01a1ff9d-f039-76ec-8a39-88c07f27d344')).toBe('…7f27d344');
  expect(shortenId('01a1ff9d-f039-716d-bfaa-03d2a4ddf4ca')).toBe('…a4ddf4ca');
});

test('a short id is unchanged', () => {
  expect(shortenId('editor-1')).toBe('editor-1');
});
