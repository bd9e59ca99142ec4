// A measurement as a line of text, and several as a table in Markdown.
import type { Latency } from './latency.ts';
import type { Measurement } from './objectives.ts';

/** A measurement with one sentence for each objective that it does not meet. */
export type JudgedMeasurement = Measurement & { missed: readonly string[] };

export const describeMeasurement = (
  measurement: Measurement,
  missed: readonly string[],
): string => {
  const { situation, attack } = measurement;
  const cells = toCells({ ...measurement, missed });
  const facts = COLUMNS.map((name, index) => `${name} ${cells[index]}`).filter(
    (_, index) => cells[index] !== NONE,
  );
  const statuses = Object.entries(attack.statuses).map(([status, count]) => `${status}: ${count}`);
  const verdict = missed.length === 0 ? 'meets the objectives' : `MISSES ${missed.join('; ')}`;
  return `slo ${situation}: ${facts.join(', ')} (${statuses.join(', ')}) → ${verdict}`;
};

const COLUMNS = [
  'p50/p99 before',
  'during',
  'after',
  '200 on the first try',
  '5xx',
  'lost joins',
  'peak memory',
  'back to baseline',
  'served of the peak',
  'p99 of served',
  'longest pause',
  'attack requests',
];
const NONE = '–';

const toCells = ({ overload, ...measured }: JudgedMeasurement): string[] => [
  toLatency(measured.before),
  toLatency(measured.during),
  toLatency(measured.after),
  measured.firstTryShare === null ? NONE : `${(measured.firstTryShare * 100).toFixed(2)} %`,
  String(measured.serverErrors),
  String(measured.lostJoins),
  `${Math.round(measured.peakMemoryMb)} MB`,
  measured.firstTryShare === null ? NONE : toRecovery(measured.recoverySeconds),
  overload
    ? `${Math.round(overload.servedPerSecond)} of ${Math.round(overload.peakPerSecond)}/s at ${Math.round(overload.offeredPerSecond)}/s`
    : NONE,
  overload ? `${Math.round(overload.servedP99Ms)} ms` : NONE,
  measured.pauseMs === undefined ? NONE : `${Math.round(measured.pauseMs)} ms`,
  String(measured.attack.requests),
];

const toLatency = ({ p50Ms, p99Ms }: Latency): string =>
  `${p50Ms.toFixed(1)}/${p99Ms.toFixed(0)} ms`;

const toRecovery = (seconds: number | null): string =>
  seconds === null ? 'not in time' : `${seconds} s`;

/** One row per situation and report; `reports` by name, such as before and after. */
export const toMarkdown = (
  reports: Readonly<Record<string, readonly JudgedMeasurement[]>>,
): string => {
  const entries = Object.entries(reports);
  const situations = [...new Set(entries.flatMap(([, all]) => all.map((one) => one.situation)))];
  const toRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = ['Situation', '', ...COLUMNS, 'Objectives'];
  const rows = situations.flatMap((situation) =>
    entries.flatMap(([name, all]) =>
      all
        .filter((one) => one.situation === situation)
        .map((one) => {
          const verdict = one.missed.length === 0 ? 'met' : `missed: ${one.missed.join('; ')}`;
          return toRow([situation, name, ...toCells(one), verdict]);
        }),
    ),
  );
  return [toRow(head), toRow(head.map(() => '---')), ...rows].join('\n');
};
