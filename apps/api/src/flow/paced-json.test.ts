import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { encodePaced, parsePaced, stringifyPaced } from './paced-json.ts';

/** Enough for a text to be cut. */
const BLANK = ' '.repeat(70_000);

/** What a parser makes of a text, with the order of all members. */
const outcome = (read: unknown) => ({ read, order: JSON.stringify(read) });

const parseAtOnce = (text: string) => {
  try {
    return outcome(JSON.parse(text));
  } catch (error) {
    return (error as Error).name;
  }
};
const parseInPieces = (text: string, piece: number) =>
  parsePaced(text, { syncLength: piece, piece }).then(outcome, (error: Error) => error.name);

const TOO_DEEP = new SyntaxError('It nests too deep.');

const blank = fc.constantFrom('', '', '', ' ', '\n', '\t\r ');
const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    '"\\""',
    '"\\\\"',
    '"\\u005b,\\\\\\""',
    '"]"',
    '"}"',
    '"{,"',
    '"\u2028"',
    '"\ufeff"',
  ),
  fc.constantFrom('null', 'true', 'false', '0', '-0', '1e400', '-1.5E-3', '12345678901234567890'),
);
/**
 * Few names, so that many are repeated. Without `\\` and `\"`: V8 13.6 reads a member `"\""` as `"\\"` where it has read that one in
 * the same place before.
 */
const name = fc.oneof(
  fc.constantFrom('"a"', '"b"', '"\\u0061"', '"1"', '"0"', '"__proto__"', '"constructor"', '""'),
  scalar.filter((text) => /^"[^\\]*$/.test(text)),
);
const { document } = fc.letrec<{ document: string }>((tie) => {
  const element = fc.tuple(blank, tie('document'), blank).map((parts) => parts.join(''));
  const member = fc.tuple(blank, name, blank, element).map(([a, b, c, d]) => `${a}${b}${c}:${d}`);
  const listOf = (of: fc.Arbitrary<string>) => fc.array(of, { maxLength: 6 });
  return {
    document: fc.oneof(
      { maxDepth: 6 },
      scalar,
      fc.tuple(listOf(element), blank).map(([all, end]) => `[${all.join(',') || end}]`),
      fc.tuple(listOf(member), blank).map(([all, end]) => `{${all.join(',') || end}}`),
    ),
  };
});
const piece = fc.integer({ min: 0, max: 40 });

/** Something taken out, put in, or doubled. */
const damaged = fc
  .record({
    text: document,
    at: fc.nat(200),
    length: fc.nat(3),
    given: fc.constantFrom(
      '',
      '',
      ',',
      ':',
      '[',
      ']',
      '{',
      '}',
      '"',
      '\\',
      'null',
      '1',
      ' ',
      '\u00a0',
      '\ufeff',
      '\u0001',
    ),
  })
  .map(({ text, at, length, given }) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + given + text.slice(place + length);
  });

describe('JSON in pieces', () => {
  it.each([
    ['every valid document', document],
    ['documents with a mistake', damaged],
  ])('is read as in one step: %s', async (_, documents) => {
    const isTheSame = fc.asyncProperty(documents, piece, async (text, size) => {
      expect(await parseInPieces(text, size)).toEqual(parseAtOnce(text));
    });
    await fc.assert(isTheSame, { numRuns: 5_000 });
  });

  it.each([
    ['{"a":1[2,3]}', 0],
    ['[1,2,]', 2],
    ['{"a":[1,2],}', 3],
    ['[[1,2][3,4]]', 0],
    ['{"a":[1,2]"b":[3,4]}', 0],
    ['[1,2] [3,4]', 1],
    ['[1,2]]', 1],
    ['[[1,2]', 1],
    ['[1,"2', 1],
    ['{"a",[1,2]}', 1],
    ['{[1,2]:3}', 1],
    ['[1,2}', 1],
    ['', 0],
  ])('refuses %s', async (text, size) => {
    expect(parseAtOnce(text)).toBe('SyntaxError');
    expect(await parseInPieces(text, size)).toBe('SyntaxError');
  });

  it('makes a member __proto__ and no prototype', async () => {
    const text = '{"x":1,"__proto__":{"polluted":[1,2,3]},"y":2}';
    const read = (await parsePaced(text, { syncLength: 1, piece: 1 })) as { polluted?: unknown };
    expect([read.polluted, Object.keys(read)]).toEqual([undefined, ['x', '__proto__', 'y']]);
  });

  it('reads lists that nest a thousand levels deep, and refuses one level more', async () => {
    const nest = (levels: number) => `${'['.repeat(levels)}${BLANK}${']'.repeat(levels)}`;
    let levels = 0;
    for (let list = await parsePaced(nest(1_000)); Array.isArray(list); [list] = list) levels += 1;
    expect(levels).toBe(1_000);
    await expect(parsePaced(nest(1_001))).rejects.toThrow(TOO_DEEP);
    await expect(parsePaced(`{"a":[${nest(1_000)}]}`)).rejects.toThrow(TOO_DEEP);
  });

  it('parses one text at a time, which bounds the memory of their values', async () => {
    const done: string[] = [];
    const read = async (name: string, text: string) => {
      await parsePaced(text);
      done.push(name);
    };
    const long = `[${'[1],'.repeat(200_000)}1]`;
    await Promise.all([read('long', long), read('short', `[${BLANK}]`)]);
    expect(done).toEqual(['long', 'short']);
  });

  it('is written as in one step', async () => {
    const member = fc.oneof(
      fc.anything({ withDate: true, withNullPrototype: false, maxDepth: 3 }),
      fc.constant(undefined),
    );
    const answers = fc.oneof(fc.dictionary(fc.string(), member), fc.array(member), member);
    const isTheSame = fc.asyncProperty(answers, async (value) => {
      expect(await stringifyPaced(value)).toBe(JSON.stringify(value));
    });
    await fc.assert(isTheSame, { numRuns: 2_000 });
  });
});

describe('everything else runs in between', () => {
  const records = Array.from({ length: 3_000 }, (_, index) => ({ index, text: 'x'.repeat(300) }));
  const answer = { records };
  const text = JSON.stringify(answer);
  // Each has two code units, and the first one begins at an odd place.
  const clefs = `x${'𝄞'.repeat(500_000)}`;
  const quotes = JSON.stringify('"'.repeat(500_000));

  it.each([
    ['reading', () => parsePaced(text), answer],
    ['reading one text of escapes', () => parsePaced(quotes), '"'.repeat(500_000)],
    ['writing', () => stringifyPaced(answer), text],
    ['encoding', async () => (await encodePaced(clefs)).toString(), clefs],
  ])('while %s', async (_, work, expected) => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 5));
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    expect(await work()).toEqual(expected);
    clearImmediate(next);
    vi.restoreAllMocks();
    expect(turns).toBeGreaterThan(5);
  });
});
