import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  checkFields,
  fieldOf,
  toFields,
  toRequest,
  toSearch,
  writeCurl,
} from './public-request.ts';

const place = { baseUrl: 'http://localhost', sandbox: 's' };

test('ids may be separated by commas, spaces and line breaks', () => {
  const fields = { ...toFields({}), ids: 'a, b\nc', legacy_ids: '7,-8' };
  expect(toRequest(fields, place)).toMatchObject({ ids: ['a', 'b', 'c'], legacyIds: [7, -8] });
});

test('reads back the request that it writes to the URL, without defaults', () => {
  const search = { kind: 'xp', ids: 'a', name: 'axe', sort_order: 'asc', page_size: '2' } as const;
  expect(toSearch(toFields(search))).toEqual({ ...search, legacy_ids: undefined });
  expect(Object.values(toSearch(toFields({})))).toEqual(Array(6).fill(undefined));
});

test('reports a value that is not a number at its field', () => {
  const fields = { ...toFields({}), legacy_ids: '7, seven', page_size: 'many' };
  expect(Object.keys(checkFields(fields))).toEqual(['legacy_ids', 'page_size']);
  expect(checkFields(toFields({}))).toEqual({});
});

test('shows a problem that the service reports at the matching field', () => {
  expect(fieldOf(['query', 'legacy_item_ids', 0])).toBe('legacy_ids');
  expect(fieldOf(['query', 'xp_ids', 1])).toBe('ids');
  expect(fieldOf(['query', 'page_size'])).toBe('page_size');
  expect(fieldOf(['path', 'sandbox_id'])).toBeUndefined();
});

test('quotes any URL as one word for the shell', () => {
  const url = "http://localhost/v1/?name=it's $HOME `id` & more";
  const command = writeCurl(url, false).replace(/^curl -sS/, "printf '%s'");
  expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe(url);
});

test('the command refers to the token by variable and never contains it', () => {
  expect(writeCurl('http://localhost/', true)).toContain('"Authorization: Bearer $TOKEN"');
  expect(writeCurl('http://localhost/', false)).not.toContain('Authorization');
});
