import { readdirSync } from 'node:fs';
import { PLATFORMS } from '@muster/contract';
import { describe, expect, it } from 'vitest';
import { CASE_FILES, COVERAGE, suite } from '../src/suite.ts';

describe('the suite', () => {
  it('has more than 150 cases', () => {
    expect(suite.length).toBeGreaterThan(150);
  });

  it('holds every file of cases, and each proves a part of the documents', () => {
    const files = readdirSync(new URL('../src/cases/', import.meta.url));
    expect(Object.keys(CASE_FILES).sort()).toEqual(files.sort());
    expect([...new Set(Object.values(COVERAGE).flat())].sort()).toEqual(files.sort());
  });

  it('gives each file one section and each case a title of its own', () => {
    const sections = Object.values(CASE_FILES).map(
      (cases) => new Set(cases.map(({ section }) => section)),
    );
    expect(sections.every((names) => names.size === 1)).toBe(true);
    expect(new Set(sections.flatMap((names) => [...names])).size).toBe(sections.length);
    const titles = suite.map(({ section, title }) => `${section} › ${title}`);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it('names the platforms in the documented order, as the contract does', () => {
    expect(PLATFORMS).toEqual(
      'Anon Basic XboxLive PSN NintendoNAID NintendoSwitch NintendoPPID Google GooglePlay Apple Epic Steam Amazon Twitch Muster LegacyName'.split(
        ' ',
      ),
    );
  });
});
