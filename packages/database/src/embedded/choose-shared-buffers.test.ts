import { expect, test } from 'vitest';
import { chooseSharedBuffers } from './server-process.ts';

const GIBIBYTE = 1024 ** 3;

test.each([
  [0.5, '128MB'],
  [1, '128MB'],
  [2, '256MB'],
  [4.0001, '512MB'],
  [64, '1024MB'],
])('with %s GiB of memory the server keeps %s of pages', (gibibytes, setting) => {
  expect(chooseSharedBuffers(gibibytes * GIBIBYTE)).toBe(setting);
});

test('the memory of this machine is found', () => {
  expect(chooseSharedBuffers()).toMatch(/^\d{3,4}MB$/);
});
