import { expect, it } from 'vitest';
import { findSecrets } from './suite-logs.ts';

const SECRETS = ['a "quoted" password', 'key/with+signs='];
const line = (value: string): string => JSON.stringify({ level: 30, msg: 'request', value });

it.each([
  ['a noted secret', 'a "quoted" password'],
  ['a noted secret in a URL', '/x?p=key%2Fwith%2Bsigns%3D'],
  ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0ZXN0ZXIifQ.c2lnbmF0dXJl'],
  ['an API key', `msk_${'a'.repeat(43)}`],
  ['the link of an invitation', `https://x/invite#token=${'b'.repeat(43)}`],
  ['a credential of a header', 'Bearer abcdefghijkl'],
  ['a cookie', 'muster.session_token=abcdefghijkl'],
  ['the password of a database', 'postgresql://muster:pw@127.0.0.1/x'],
  ['a private key', '-----BEGIN EC PRIVATE KEY-----'],
])('finds %s', (_, value) => {
  expect(findSecrets(`${line('ok')}\n${line(value)}`, SECRETS)).toEqual([line(value)]);
});

it('finds nothing in lines without secrets', () => {
  const log = [line('a.b.c'), line('postgresql://127.0.0.1/x'), line('the bearer of a token')];
  expect(findSecrets(log.join('\n'), SECRETS)).toEqual([]);
});
