import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { writeCurl } from './write-curl.ts';

test('a shell takes the address as one word, whatever is in it', () => {
  const url = "http://localhost/v1/?name=it's $HOME `id` & more";
  const command = writeCurl(url, false).replace(/^curl -sS/, "printf '%s'");
  expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe(url);
});

test('the token is named, never written', () => {
  expect(writeCurl('http://localhost/', true)).toContain('"Authorization: Bearer $TOKEN"');
  expect(writeCurl('http://localhost/', false)).not.toContain('Authorization');
});
