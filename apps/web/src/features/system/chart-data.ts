// Converts data points of the service to the lines, the table and the summary of a chart. Pure.
import type { ApiOutputs } from '../../api/client.ts';

export type Point = ApiOutputs['system']['series']['points'][number];

/** The colour is a token of the theme; the dash distinguishes lines without colour. */
export type Line = {
  label: string;
  colour: string;
  dash?: readonly number[];
  values: readonly (number | null)[];
};

export type ChartData = { times: readonly number[]; lines: readonly Line[]; unit: string };

const COLOURS = [
  '--muster-accent',
  '--muster-warn',
  '--muster-info',
  '--muster-bad',
  '--muster-good',
  '--muster-line-strong',
];
const DASHES = [undefined, [6, 4], [2, 3], [10, 4, 2, 4]];

const style = (at: number) => {
  const dash = DASHES[at % DASHES.length];
  return { colour: COLOURS[at % COLOURS.length] ?? '--muster-accent', ...(dash && { dash }) };
};

const toTimes = (points: readonly Point[]) => points.map(({ at }) => Date.parse(at) / 1000);

const read = (
  points: readonly Point[],
  unit: string,
  lines: readonly [string, (point: Point) => number | null][],
): ChartData => ({
  times: toTimes(points),
  unit,
  lines: lines.map(([label, pick], at) => ({ label, ...style(at), values: points.map(pick) })),
});

export const readRates = (points: readonly Point[]): ChartData =>
  read(points, 'per second', [
    ['Requests', (point) => point.requests_per_second],
    ['Joins', (point) => point.joins_per_second],
    ['Errors of the service', (point) => point.errors_per_second],
  ]);

export const readTimes = (points: readonly Point[]): ChartData =>
  read(points, 'milliseconds', [
    ['Median response time', (point) => point.p50_ms ?? null],
    ['p99 response time', (point) => point.p99_ms ?? null],
    ['Database latency', (point) => point.database_ms ?? null],
  ]);

export const readPlayers = (points: readonly Point[]): ChartData =>
  read(points, 'at the same time', [
    ['Live sessions', (point) => point.live_sessions ?? null],
    ['Players seated', (point) => point.seated_players ?? null],
  ]);

export const readBacklog = (points: readonly Point[]): ChartData =>
  read(points, 'seconds', [
    ['Oldest pending delivery', (point) => point.webhook_backlog_seconds ?? null],
  ]);

/** One line per outcome that occurred, the most frequent first. */
export const readOutcomes = (points: readonly Point[], intervalSeconds: number): ChartData => {
  const perMinute = 60 / intervalSeconds;
  const totals = new Map<string, number>();
  for (const { outcomes } of points) {
    for (const [name, count] of Object.entries(outcomes)) {
      totals.set(name, (totals.get(name) ?? 0) + count);
    }
  }
  const names = [...totals].toSorted((a, b) => b[1] - a[1]).map(([name]) => name);
  return read(
    points,
    'joins per minute',
    names.map((name) => [
      describeOutcome(name),
      (point: Point) => (point.outcomes[name] ?? 0) * perMinute,
    ]),
  );
};

/** "Team full" for `team_full`. */
const describeOutcome = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const numbersOf = ({ values }: Line): number[] => values.filter((value) => value !== null);

/** Summarises each line: "Requests: 3.2 per second now, at most 18." */
export const summarize = ({ lines, unit }: ChartData): string => {
  const sentences = lines.map((line) => {
    const values = numbersOf(line);
    const last = values.at(-1);
    if (last === undefined) return `${line.label}: no data.`;
    const most = Math.max(...values);
    return `${line.label}: last ${formatValue(last)} ${unit}, at most ${formatValue(most)}.`;
  });
  return sentences.length > 0 ? sentences.join(' ') : 'No activity in this period.';
};

/** The table of a chart, newest first. */
export const tabulate = ({ times, lines }: ChartData): { at: string; values: string[] }[] =>
  times
    .map((time, at) => ({
      at: new Date(time * 1000).toISOString(),
      values: lines.map(({ values }) => {
        const value = values[at] ?? null;
        return value === null ? '–' : formatValue(value);
      }),
    }))
    .toReversed();

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** "12.4 MB", in steps of 1000. */
export const formatBytes = (bytes: number): string => {
  let at = 0;
  let value = bytes;
  while (value >= 1000 && at < UNITS.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${at === 0 ? value : value.toFixed(1)} ${UNITS[at]}`;
};

export const formatCount = (count: number): string => count.toLocaleString('en');

/** At most two decimal places, without trailing zeros. */
export const formatValue = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 2 });
