import { expect, test } from 'vitest';
import { findPackedLines } from './packed-literals.mjs';

// Assembled, so that this file passes its own check.
const PACKED = `...${'{'}`;

test.each([
  ['a spread of an object literal', `f({ ${PACKED} a, b }, c })`, [1]],
  ['one that begins its line', `f({\n  ${PACKED} a, b },\n})`, [2]],
  ['a conditional spread', 'f({ ...(a && { b }) })', []],
  ['a spread of a variable', 'f({ ...rest, a })', []],
  ['an empty literal', `f({ ${PACKED}} })`, []],
  ['a comment', `// ${PACKED} a }`, []],
])('finds %s', (_, text, lines) => {
  expect(findPackedLines(text)).toEqual(lines);
});
