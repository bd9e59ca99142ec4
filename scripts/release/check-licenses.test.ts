import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../setup/repository.mjs';
import { findLicenseProblems } from './test/check-licenses.ts';

const own = readFileSync(join(ROOT, 'LICENSE'), 'utf8');

const entry = (name: string, license = 'MIT') =>
  `\n${'-'.repeat(80)}\n${name} 1.0.0\nLicence: ${license}\n\nThe terms.\n`;

const bill = (...components: [name: string, license: string][]) =>
  JSON.stringify({
    components: components.map(([name, license]) => ({
      name,
      version: '1.0.0',
      licenses: [{ expression: license }],
    })),
  });

test('finds nothing where each component has its licence', () => {
  const notices = `Introduction\n${entry('a')}${entry('b', 'ISC')}`;
  const packed = { own, notices, billOfMaterials: bill(['a', 'MIT'], ['b', 'ISC']) };
  expect(findLicenseProblems(packed)).toEqual([]);
  const empty = { own, notices: 'Introduction\n', billOfMaterials: null };
  expect(findLicenseProblems(empty)).toEqual([]);
});

test('finds missing files, missing entries, surplus entries and other licences', () => {
  const find = (notices: string | null, billOfMaterials: string | null) =>
    findLicenseProblems({ own, notices, billOfMaterials });
  expect(find(null, null)).toEqual(['THIRD-PARTY-LICENSES.txt is missing.']);
  expect(findLicenseProblems({ own: null, notices: '', billOfMaterials: null })).toEqual([
    'The licence of Muster is missing.',
  ]);
  expect(find(entry('a'), bill(['a', 'MIT'], ['b', 'MIT']))).toEqual([
    'The licence of the component b 1.0.0 is missing.',
  ]);
  expect(find(entry('a') + entry('b'), bill(['a', 'MIT']))).toEqual([
    'b 1.0.0 has an entry and is not a component.',
  ]);
  expect(find(entry('a', 'ISC'), bill(['a', 'MIT']))).toEqual([
    'a 1.0.0 is a component under MIT, and an entry under ISC.',
  ]);
  expect(find(entry('a', 'MPL-2.0'), bill(['a', 'MPL-2.0']))).toEqual([
    'The licence MPL-2.0 of a 1.0.0 is not allowed.',
  ]);
});
