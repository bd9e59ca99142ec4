// How a run ends: the failures in full, a table by section, one closing line.
import type { CaseResult } from './runner.ts';

type Counts = Record<CaseResult['outcome'], number>;

const countOutcomes = (results: readonly CaseResult[]): Counts => {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
};

/** `N passed, N failed, N skipped`. */
export const closingLine = (results: readonly CaseResult[]): string => {
  const { passed, failed, skipped } = countOutcomes(results);
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
};

export const summaryTable = (results: readonly CaseResult[]): string => {
  const sections = Object.entries(Object.groupBy(results, ({ section }) => section));
  const width = Math.max(...sections.map(([section]) => section.length), 'section'.length);
  const line = (cells: readonly (string | number)[]): string =>
    cells.map((cell, index) => (index ? `${cell}`.padStart(8) : `${cell}`.padEnd(width))).join(' ');
  return [
    line(['section', 'passed', 'failed', 'skipped']),
    ...sections.map(([section, ofSection = []]) => {
      const { passed, failed, skipped } = countOutcomes(ofSection);
      return line([section, passed, failed, skipped]);
    }),
  ].join('\n');
};

/** Why cases were skipped, each reason once with its count. */
export const skippedReasons = (results: readonly CaseResult[]): string[] =>
  Object.entries(
    Object.groupBy(
      results.filter(({ outcome }) => outcome === 'skipped'),
      ({ detail }) => detail ?? '',
    ),
  ).map(([reason, cases = []]) => `skipped ${cases.length}: ${reason}`);
