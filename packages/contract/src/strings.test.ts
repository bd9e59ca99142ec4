import { expect, test } from 'vitest';
import { Integer, isSameName, NewShortId, newName, StringMap, text, Uuid } from './strings.ts';

test('counts characters, not UTF-16 units: astral characters are one each', () => {
  const bounded = text(1, 4);
  expect(bounded.safeParse('😀😀😀😀').success).toBe(true);
  expect(bounded.safeParse('😀😀😀😀😀').success).toBe(false);
  expect(bounded.safeParse('abcde').success).toBe(false);
  expect(bounded.safeParse('').success).toBe(false);
});

test('refuses what PostgreSQL and UTF-8 cannot carry', () => {
  expect(text(0).safeParse('a\u0000').success).toBe(false);
  expect(text(0).safeParse('\ud800').success).toBe(false);
  expect(text(0).safeParse('\ud83d\ude00').success).toBe(true);
});

test('a UUID of any version is read with hyphens or without, in either case, and written in one form', () => {
  expect(Uuid.parse('ABCDEF00-0000-0000-0000-00000000000F')).toBe(
    'abcdef00-0000-0000-0000-00000000000f',
  );
  expect(Uuid.parse('ABCDEF0000000000000000000000000f')).toBe(
    'abcdef00-0000-0000-0000-00000000000f',
  );
  for (const bad of [
    'abcdef00000000000000000000000000f',
    'abcdef000000-0000-000000000000000f',
    '',
  ]) {
    expect(Uuid.safeParse(bad).success).toBe(false);
  }
});

test('a map has at most 64 entries with keys of 1..128 and values of 1..4096 characters', () => {
  const entries = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
  expect(StringMap.safeParse(entries(64)).success).toBe(true);
  expect(StringMap.safeParse(entries(65)).success).toBe(false);
  expect(StringMap.safeParse({ ['k'.repeat(128)]: 'v'.repeat(4096) }).success).toBe(true);
  expect(StringMap.safeParse({ ['k'.repeat(129)]: 'v' }).success).toBe(false);
  expect(StringMap.safeParse({ k: 'v'.repeat(4097) }).success).toBe(false);
  expect(StringMap.safeParse({ k: '' }).success).toBe(false);
});

test('a map has at most 20 KiB of UTF-8, keys and values together', () => {
  const map = (bytes: number) => ({
    ...Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, '€'.repeat(1365)])),
    e: 'v'.repeat(bytes - 4 * (1365 * 3 + 1) - 1),
  });
  expect(StringMap.safeParse(map(20 * 1_024)).success).toBe(true);
  const issues = StringMap.safeParse(map(20 * 1_024 + 1)).error?.issues;
  expect(issues).toMatchObject([{ path: [], params: { type: 'value_error.map.max_bytes' } }]);
});

test('a map that is too large, or has a bad name, hides no problem of its entries', () => {
  const problems = (map: unknown) =>
    StringMap.safeParse(map).error?.issues.map(({ path: [key = ''], code }) => [key, code]);
  const large = { a: 'x'.repeat(25_000), b: '', ['k'.repeat(129)]: 'v', c: 1, d: 'e' };
  expect(problems(large)).toEqual([
    ['', 'custom'],
    ['a', 'too_big'],
    ['b', 'too_small'],
    ['k'.repeat(129), 'invalid_key'],
    ['c', 'invalid_type'],
  ]);
  expect(problems(JSON.parse('{"__proto__":"x","a":""}'))).toEqual([
    ['__proto__', 'custom'],
    ['a', 'too_small'],
  ]);
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, '']));
  expect(problems({ ...many, large: 'x'.repeat(25_000) })).toEqual([
    ['', 'too_big'],
    ['', 'custom'],
  ]);
});

test('an entry named __proto__ pollutes nothing and is refused, not lost', () => {
  const result = StringMap.safeParse(JSON.parse('{"__proto__":"x","a":"b"}'));
  expect(result.error?.issues).toMatchObject([{ path: ['__proto__'] }]);
  expect(StringMap.parse({ a: 'b' })).toEqual({ a: 'b' });
});

test('too many entries are one problem, however bad the entries are', () => {
  const bad = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 1]));
  expect(StringMap.safeParse(bad).error?.issues).toHaveLength(1);
});

test('minus zero is zero', () => {
  expect(Object.is(Integer.parse(-0), 0)).toBe(true);
});

test('integers are exact in JSON', () => {
  expect(Integer.safeParse(2 ** 53 - 1).success).toBe(true);
  expect(Integer.safeParse(2 ** 53).success).toBe(false);
  expect(Integer.safeParse(1.5).success).toBe(false);
});

test('of a map with too many entries, no more are looked at than its bytes allow', () => {
  const map = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`key ${n}`, 'x']));
  let looks = 0;
  const watched = new Proxy(map, {
    get: (target, name) => {
      looks += 1;
      return Reflect.get(target, name);
    },
  });
  expect(StringMap.safeParse(watched).success).toBe(false);
  // Each has five bytes at least.
  expect(looks).toBeLessThan((20 * 1_024) / 5);
});

const INVISIBLE = ['   ', '\u200b', '\u2800', '\u3164', '\u00ad\ufe0f', '\u{e0041}', '\u0301'];
const CONTROL = ['a\nb', 'a\u0007', 'a\u0085b', 'a\u2028b', '\u202eevil', 'a\u2066b', 'a\u202cb'];

test.each([...INVISIBLE, ...CONTROL, '\n'])('refuses the name %j', (name) => {
  expect(newName(256).safeParse(name).success).toBe(false);
});

test.each(['a', '7', '剣', 'مرحبا \u200f!', '👨‍👩‍👧', '★', '\ue000', 'Zoë', 'क्‍ष'])(
  'accepts the name %j',
  (name) => {
    expect(newName(256).parse(name)).toBe(name);
  },
);

test('removes white space at both ends of a name before it counts characters', () => {
  expect(newName(3).parse(' \u00a0Axe\u3000\n')).toBe('Axe');
  expect(newName(3).safeParse('Axes').success).toBe(false);
});

test('names that differ only in invisible characters are the same', () => {
  for (const other of [
    'Owner ',
    'Ow\u200bner',
    '\u2060Owner',
    'Own\u00ader',
    '\u202aOwner',
    'Owner\u2800',
  ]) {
    expect(isSameName('Owner', other)).toBe(true);
  }
  for (const other of ['Ac\ufeffc 1', 'Acc \u200b 1', 'Acc\t 1'])
    expect(isSameName('Acc 1', other)).toBe(true);
  for (const other of ['owner', 'Own er', 'Owner 2'])
    expect(isSameName('Owner', other)).toBe(false);
});

test.each([' ranked', 'ranked ', 'ran\u200bked', 'ran\tked', '\u202eranked', '\u2800', '\n'])(
  'refuses the identifier %j instead of trimming it',
  (id) => {
    expect(NewShortId.safeParse(id).success).toBe(false);
  },
);

test('accepts identifiers with visible characters and single spaces between them', () => {
  for (const id of ['ranked', 'ranked 2v2', 'лобби', '試合-1'])
    expect(NewShortId.parse(id)).toBe(id);
});
