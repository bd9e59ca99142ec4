import { expect, test } from 'vitest';
import { toSameOriginPath } from './url-state.tsx';

test.each(['/s/1/items?name=a%20b#x', '/keys', '/'])('%s is followed', (path) => {
  expect(toSameOriginPath(path)).toBe(path);
});

test.each([
  undefined,
  '',
  'keys',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '\\/evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/..//evil.example',
  '/./\\evil.example/x',
])('%s leads to the start page', (path) => {
  expect(toSameOriginPath(path)).toBe('/');
});
