import { expect, test } from 'vitest';
import { shortenId } from './ids.ts';

test('ids made in the same millisecond can be told apart', () => {
  expect(shortenId('01a1ff9d-f039-76ec-8a39-88c07f27d344')).toBe('…7f27d344');
  expect(shortenId('01a1ff9d-f039-716d-bfaa-03d2a4ddf4ca')).toBe('…a4ddf4ca');
});

test('what is short is shown whole', () => {
  expect(shortenId('editor-1')).toBe('editor-1');
});
