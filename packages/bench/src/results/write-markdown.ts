// The generated part of docs/benchmarks.md: machine, tables of medians with their spread, ratios, checks.

import { readFile, writeFile } from 'node:fs/promises';
import type { Measurement, Report } from './report.ts';
import { replaceGenerated } from './report.ts';
import type { Spread } from './statistics.ts';
import { spreadOf } from './statistics.ts';
import { judge, listTargets } from './targets.ts';

/** Three significant digits: the spread of the rounds makes more of them noise. */
export const formatNumber = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  const rounded = Number(value.toPrecision(3));
  return Math.abs(rounded) >= 1_000 ? Math.round(rounded).toLocaleString('en-US') : String(rounded);
};

const formatSpread = ({ median, low, high }: Spread): string =>
  low === high
    ? formatNumber(median)
    : `${formatNumber(median)} (${formatNumber(low)}–${formatNumber(high)})`;

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n');

const unique = (values: readonly string[]): string[] => [...new Set(values)];

/** What the load generator used is in the JSON only: a note says when it limited a rate. */
const isShown = ({ metric }: Measurement): boolean => !metric.startsWith('load generator');

const benchmarkTable = (benchmark: string, all: readonly Measurement[]): string => {
  const own = all.filter((each) => each.benchmark === benchmark && isShown(each));
  const columns = unique(own.map(({ metric, unit }) => `${metric}, ${unit}`));
  const rows = unique(own.map(({ variant }) => variant)).map((variant) => [
    variant,
    ...columns.map((column) => {
      const found = own.find(
        (each) => each.variant === variant && `${each.metric}, ${each.unit}` === column,
      );
      return found ? formatSpread(spreadOf(found.rounds)) : '';
    }),
  ]);
  return `### ${benchmark}\n\n${table(['variant', ...columns], rows)}`;
};

const targetTable = (report: Report): string => {
  const rows = listTargets(report.sizes, report.groups).map((target) => {
    const { value, holds } = judge(report, target);
    const goal = `${target.bound} ${formatNumber(target.limit)}${target.unit ? ` ${target.unit}` : ''}`;
    const verdict = holds === null ? 'not measured' : holds ? 'yes' : 'no';
    return [target.name, value ? formatSpread(value) : '', goal, verdict];
  });
  return `### Ratios and goals\n\n${table(['what', 'measured', 'goal', 'reached'], rows)}`;
};

/** Checks that failed have a row each. */
const describeChecks = ({ checks }: Report): string => {
  const named = [...Map.groupBy(checks, ({ what }) => what)];
  const isHeld = ([, same]: (typeof named)[number]) => same.every(({ holds }) => holds);
  const rows = named
    .filter((each) => !isHeld(each))
    .map(([what, same]) => {
      const failed = same.filter(({ holds }) => !holds);
      const benchmarks = unique(failed.map(({ benchmark }) => benchmark));
      return [what, `${same.length - failed.length} of ${same.length}`, benchmarks.join(', ')];
    });
  const held = checks.filter(({ holds }) => holds).length;
  const sentence = `${held} of ${checks.length} checks held. In all runs: ${named
    .filter(isHeld)
    .map(([what]) => what)
    .join('; ')}.`;
  const failures = rows.length > 0 ? [table(['what must hold', 'held', 'failed in'], rows)] : [];
  return ['### Checks', sentence, ...failures].join('\n\n');
};

const frame = ({ measuredAt, mode, machine, versions, notes }: Report): string => {
  const { cpu, cpus, memoryGiB, system, node, commit } = machine;
  const quick =
    mode === 'quick'
      ? ['A quick run with small sizes: it shows that all works, not how fast.']
      : [];
  const software = Object.entries({ 'Node.js': node, ...versions }).map(
    ([name, version]) => `${name} ${version}`,
  );
  return [
    ...quick,
    `Measured on ${measuredAt.slice(0, 10)}${commit ? ` at commit ${commit}` : ''}: ${cpus} × ${cpu}, ${memoryGiB} GiB, ${system}.`,
    `${software.join(', ')}. Medians of the rounds; in brackets the lowest and the highest round.`,
    ...notes,
  ].join('\n\n');
};

export const composeMarkdown = (report: Report): string => {
  const benchmarks = unique(report.measurements.map(({ benchmark }) => benchmark));
  const tables = benchmarks.map((benchmark) => benchmarkTable(benchmark, report.measurements));
  return [frame(report), targetTable(report), ...tables, describeChecks(report)].join('\n\n');
};

export const writeMarkdown = async (file: string, report: Report): Promise<void> => {
  const page = await readFile(file, 'utf8');
  await writeFile(file, replaceGenerated(page, composeMarkdown(report)));
};
