import { expect, test } from 'vitest';
import { checkSupplyChain, findInLockfile, findRanges, judge } from './supply-chain.mjs';

const INTEGRITY = { version: '1.2.3', integrity: 'sha512-x' };
const lockOf = (entry: object, path = 'node_modules/odd') => ({
  packages: {
    '': { name: 'root' },
    'node_modules/fine': INTEGRITY,
    'apps/api': { name: '@muster/api' },
    'node_modules/@muster/api': { link: true, resolved: 'apps/api' },
    [path]: { ...INTEGRITY, ...entry },
  },
});

test.each([
  ['has no checksum', { integrity: undefined }],
  ['runs a script at its installation', { hasInstallScript: true }],
  ['is a pre-release', { version: '2.0.0-rc.1' }],
  ['is no release of a registry', { resolved: 'git+ssh://git@example.com/odd.git#abc' }],
])('finds a package that %s, at any depth', (what, entry) => {
  for (const path of ['node_modules/odd', 'node_modules/fine/node_modules/odd']) {
    const version = 'version' in entry ? entry.version : '1.2.3';
    expect(findInLockfile(lockOf(entry, path))).toEqual([{ what, name: 'odd', version }]);
  }
  expect(findInLockfile(lockOf({}))).toEqual([]);
});

test('knows a package by its own name where it is installed under another one', () => {
  const found = findInLockfile(lockOf({ name: '@true/name', hasInstallScript: true }));
  expect(found.map(({ name }) => name)).toEqual(['@true/name']);
});

test.each([
  '^1.0.0',
  '1.x',
  '*',
  'latest',
  '>=1.0.0',
  'git+https://example.com/a.git',
  'file:../a',
])('finds a dependency on %s in any group', (version) => {
  for (const group of ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides']) {
    expect(findRanges({ [group]: { a: version, b: '1.2.3' } })).toEqual([
      { what: 'is not one exact version', name: 'a', version },
    ]);
  }
});

test('accepts what is on the list, and nothing that only resembles it', () => {
  const found = { file: 'package-lock.json', what: 'is a pre-release', version: '1.0.0-rc.1' };
  const accepted = { 'is a pre-release': { odd: 'why', '@some/*': 'why' } };
  expect(
    judge(
      [
        { ...found, name: 'odd' },
        { ...found, name: '@some/one' },
      ],
      accepted,
    ),
  ).toEqual([]);
  for (const name of ['odd-one', '@something', 'other']) {
    const told = judge([{ ...found, name }], { 'is a pre-release': { odd: '', '@some/*': '' } });
    expect(told[0]).toMatch(`${name}@1.0.0-rc.1 is a pre-release`);
  }
  expect(judge([{ ...found, name: 'odd', what: 'has no checksum' }], {})).toHaveLength(1);
});

test('names what is on the list and is not there any more', () => {
  expect(judge([], { 'has no checksum': { odd: 'why' } })).toEqual([
    expect.stringContaining('odd is on the list "has no checksum", and is not so.'),
  ]);
});

test('the lockfiles and manifests of this repository are as the lists say', () => {
  expect(checkSupplyChain()).toEqual([]);
});
