import { describe, expect, test } from 'vitest';
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
