import { describe, expect, test } from 'vitest';
import { findNewestVersion, judgeRelease } from './release-gate.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

## [2.0.0] - 2026-06-01

### Removed

- \`region_id\`: read it from the instance.

## [1.0.0] - 2026-01-01
`;

const judge = (current: string, changes: string[], changelog = CHANGELOG) =>
  judgeRelease({ released: '1.4.0', current, changes, changelog });

const BREAK = ['the field region_id was removed'];

describe('a breaking change', () => {
  test('passes with a higher major version and an entry in the changelog', () => {
    expect(judge('2.0.0', BREAK)).toEqual([]);
  });

  test('fails with a minor version, however the changelog reads', () => {
    expect(judge('1.5.0', BREAK, CHANGELOG.replace('2.0.0', '1.5.0'))).toEqual([
      expect.stringContaining('package.json says 1.5.0'),
    ]);
  });

  test('fails without an entry, and with an empty one', () => {
    const missing = [expect.stringContaining('no entry "## [3.0.0]"')];
    expect(judge('3.0.0', BREAK)).toEqual(missing);
    expect(judge('3.0.0', BREAK, `## [3.0.0]\n\n### Removed\n\n${CHANGELOG}`)).toEqual(missing);
  });

  test('says both things that are missing at once', () => {
    expect(judge('1.4.0', BREAK)).toHaveLength(2);
  });
});

describe('an accepted change', () => {
  const accepted = [{ change: 'the field region_id was removed', reason: 'It was never sent.' }];
  const judgeAccepted = (changes: string[]) =>
    judgeRelease({ released: '1.4.0', current: '1.5.0', changes, accepted, changelog: '' });

  test('passes, and hides no other one', () => {
    expect(judgeAccepted(BREAK)).toEqual([]);
    expect(judgeAccepted([...BREAK, 'the field type was removed'])).toHaveLength(2);
  });

  test('fails when it was not made', () => {
    expect(judgeAccepted([])).toEqual([expect.stringContaining('the field region_id')]);
  });
});

test('any other change passes as it is', () => {
  expect(judge('1.4.0', [], '')).toEqual([]);
});

test('the newest version is the highest by number, not by spelling', () => {
  expect(findNewestVersion(['0.9.0', '0.10.0', '0.2.11'])).toBe('0.10.0');
  expect(findNewestVersion(['1.0.0', '0.10.0'])).toBe('1.0.0');
  expect(findNewestVersion([])).toBeNull();
});
