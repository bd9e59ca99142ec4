import { describe, expect, test } from 'vitest';
import { findDevelopmentPeers, findMisplaced } from '../complete-lockfile.mjs';
import { isPresent, listPaths, listRelativeLinks, listScripts } from './repository-files.mjs';

const FILES = ['apps/api/src/sessions/join-rules.ts', 'docs/decisions/0001-tooling.md'];

describe('paths in documents', () => {
  test('takes files and folders of the repository for paths, and nothing else', () => {
    const text =
      'See `apps/api/src`, `join-rules.ts`; `application/json`, `.ts`, `npm start` and `/item/`.';
    expect(listPaths(text)).toEqual(['apps/api/src', 'join-rules.ts']);
  });

  test('leaves fenced examples alone', () => {
    expect(listPaths('```sh\ncat `docs/none.md`\n```\n`docs/some.md`')).toEqual(['docs/some.md']);
  });

  test('finds a file by its last parts, and matches one name with a placeholder', () => {
    expect(isPresent('sessions/join-rules.ts', 'README.md', FILES)).toBe(true);
    expect(isPresent('docs/decisions/<number>-<title>.md', 'README.md', FILES)).toBe(true);
  });

  test('misses a file that is not there, and one whose name only ends alike', () => {
    expect(isPresent('apps/api/src/none.ts', 'README.md', FILES)).toBe(false);
    expect(isPresent('rules.ts', 'README.md', FILES)).toBe(false);
  });
});

test('finds the npm scripts that a document runs, and not those of a workspace', () => {
  const text =
    '`npm run -s token -- --sub a`, npm run check:static; `npm run migration -w @muster/a`';
  expect(listScripts(text)).toEqual(['token', 'check:static']);
});

test('the page of a package links to nothing beside it, which npm does not have', () => {
  const text = 'See [Muster](../../README.md), [below](#use) and [ts-rest](https://ts-rest.com).';
  expect(listRelativeLinks(text)).toEqual(['../../README.md']);
});

describe('peers in lockfiles', () => {
  const lock = {
    packages: {
      '': { dependencies: { web: '1.0.0' }, devDependencies: { runner: '1.0.0' } },
      'node_modules/adapter': {
        peerDependencies: { runner: '*', driver: '*', framework: '*', typescript: '*' },
        peerDependenciesMeta: { runner: { optional: true }, driver: { optional: true } },
      },
      'node_modules/driver': {},
      'node_modules/framework': {},
      'node_modules/runner': {},
      'node_modules/typescript': {},
      'node_modules/web': { dependencies: { adapter: '*', driver: '*' } },
    },
  };

  test('finds those that only development needs: optional ones that nothing else runs with, and types', () => {
    expect(findDevelopmentPeers(lock)).toEqual([
      { path: 'node_modules/adapter', name: 'runner' },
      { path: 'node_modules/adapter', name: 'typescript' },
    ]);
  });
});

test('a package is found whose place a lockfile does not say, or another one, or without a checksum; one that is linked lies nowhere', () => {
  const address = (path: string) => `https://registry.npmjs.org/${path}.tgz`;
  const lock = {
    packages: {
      '': {},
      'node_modules/linked': { link: true, resolved: 'packages/linked' },
      'node_modules/unserved': { version: '1.0.0' },
      'node_modules/unverified': {
        version: '1.0.0',
        resolved: address('unverified/-/unverified-1.0.0'),
      },
      'node_modules/right': {
        version: '1.0.0',
        integrity: 's',
        resolved: address('right/-/right-1.0.0'),
      },
      'node_modules/a/node_modules/@b/c': { version: '2.0.0', integrity: 's' },
      'node_modules/alias': {
        name: 'd',
        version: '3.0.0',
        integrity: 's',
        resolved: address('alias/-/alias-3.0.0'),
      },
    },
  };
  expect(findMisplaced(lock).map((found) => found.address)).toEqual([
    undefined,
    address('@b/c/-/c-2.0.0'),
    address('d/-/d-3.0.0'),
  ]);
});
