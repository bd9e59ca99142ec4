import { expect, test } from 'vitest';
import { checkSecurityClaims, findUnprovenClaims } from './security-claims.mjs';

const TEST = "it('refuses what is wrong', async () => {});\n// it('is a comment')";
const judge = (proof: string, claim = 'Wrong things are refused (`src/a.ts`).') =>
  findUnprovenClaims(
    `| What | Claim | Proof |\n|---|---|---|\n| all | ${claim} | ${proof} |\n`,
    new Set(['src/a.test.ts', 'src/a.ts']),
    () => TEST,
  );

test('accepts a claim whose test exists, by file or by title', () => {
  expect(judge('`src/a.test.ts`')).toEqual([]);
  expect(judge('`src/a.test.ts` "refuses what is wrong"')).toEqual([]);
});

test.each([
  ['', 'names no test'],
  ['read, not measured', 'names no test'],
  ['`src/b.ts`', 'src/b.ts is no test'],
  ['`src/gone.test.ts`', 'src/gone.test.ts does not exist'],
  ['`src/a.test.ts` "refuses"', 'has no test "refuses"'],
  ['`src/a.test.ts` "refuses what is wrong" "and more"', 'has no test "and more"'],
  ['`src/a.test.ts`; `src/a.test.ts`', 'names src/a.test.ts twice'],
  ['`src/a.test.ts` | more', 'has 4 columns'],
])('refuses a claim with the proof %j', (proof, said) => {
  expect(judge(proof)).toEqual([expect.stringContaining(said)]);
});

test('refuses a path that a claim names twice, and a document without claims', () => {
  const twice = judge('`src/a.test.ts`', 'Refused: `src/a.ts`, `src/a.ts`.');
  expect(twice).toEqual([expect.stringContaining('names src/a.ts twice')]);
  expect(findUnprovenClaims('# Security\n', new Set(), () => '')).toHaveLength(1);
});

test('every claim of SECURITY.md names a test that exists', () => {
  expect(checkSecurityClaims()).toEqual([]);
});
