// The table at the end: one line per language.
import type { Proof } from './prove-language.ts';

const HEADINGS = ['language', 'generator', 'result', 'time'];

export const composeTable = (proofs: readonly Proof[]): string => {
  const rows = [HEADINGS, ...proofs.map(toRow)];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) => toLine(row, widths)).join('\n');
};

const toRow = ({ language, outcome, reason, seconds }: Proof): string[] => [
  language.title,
  language.generator,
  outcome === 'left out' ? `left out: ${reason}` : outcome,
  outcome === 'left out' ? '' : `${seconds.toFixed(1)} s`,
];

const toLine = (row: readonly string[], widths: readonly number[]): string =>
  row
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd();
