import { expect, test } from 'vitest';
import { PlatformSessionInput } from './session-inputs.ts';

const accepts = (platform_session_id_base64: string): boolean =>
  PlatformSessionInput.safeParse({
    platform: 'Steam',
    platform_session_type: 'lobby',
    platform_session_id_base64,
  }).success;

test.each([
  ['a line break of MIME', 'bXVzdGVyLXNlc3Npb24tb2Yt\r\nbWFueS1wbGF5ZXJz'],
  ['a blank in front', ' YWJj'],
  ['a blank at the end', 'YWJj '],
  ['a no-break space', 'YWJj\u00a0ZGVm'],
  ['a line separator', 'YWJj\u2028ZGVm'],
  ['a control character', 'YWJj\u0007ZGVm'],
  ['a zero-width space', 'YWJj\u200bZGVm'],
  ['a byte order mark', '\ufeffYWJj'],
  ['a soft hyphen', 'YWJj\u00adZGVm'],
  ['a change of direction', 'YWJj\u202eZGVm'],
  ['a Hangul filler', 'YWJj\u3164'],
  ['a blank Braille pattern', 'YWJj\u2800'],
  ['padding alone', '===='],
  ['a dot alone', '.'],
  ['two dots alone', '..'],
  ['more bytes than fit into a path', `a${'🎲'.repeat(2_560)}`],
])('a platform session is not registered by an id with %s', (_, id) => {
  expect(accepts(id)).toBe(false);
});

test.each([
  'a',
  'YWJj',
  'ab+/cd==',
  'ab-_cd',
  'lobby~#?&%:@é',
  '=a',
  '𝄞',
  'a'.repeat(4096),
  '🎲'.repeat(2_560),
])('a platform session is registered by %j', (id) => {
  expect(accepts(id)).toBe(true);
});

test('a refused id is one problem at its member', () => {
  const input = { platform: 'Steam', platform_session_type: 'lobby' };
  const read = PlatformSessionInput.safeParse({ ...input, platform_session_id_base64: ' \t= ' });
  expect(read.error?.issues).toMatchObject([
    {
      path: ['platform_session_id_base64'],
      params: { type: 'value_error.platform_session_id' },
    },
  ]);
});
