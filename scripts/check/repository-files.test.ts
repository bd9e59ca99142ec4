import { describe, expect, test } from 'vitest';
import { isPresent, listPaths } from './repository-files.mjs';

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

  test('finds a file by its last parts, and lets a placeholder stand for one name', () => {
    expect(isPresent('sessions/join-rules.ts', 'README.md', FILES)).toBe(true);
    expect(isPresent('docs/decisions/<number>-<title>.md', 'README.md', FILES)).toBe(true);
  });

  test('misses a file that is not there, and one whose name only ends alike', () => {
    expect(isPresent('apps/api/src/none.ts', 'README.md', FILES)).toBe(false);
    expect(isPresent('rules.ts', 'README.md', FILES)).toBe(false);
  });
});
