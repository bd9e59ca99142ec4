// What a run has found: measured values per round, checks that must hold, and what was left out.

import type { Machine } from '../machine.ts';
import type { BenchmarkName } from '../options.ts';

type Unit = 'per second' | 'ms' | 'µs' | 'bytes' | 'MB' | 's' | '%' | 'thousand';

export type Measurement = {
  /** Such as `join/distinct`. */
  benchmark: string;
  /** Such as `muster` or `ceiling`. */
  variant: string;
  metric: string;
  unit: Unit;
  /** One value per round, in the order of the rounds. */
  rounds: number[];
};

export type Check = { benchmark: string; variant: string; what: string; holds: boolean };

/** The amounts that were measured, which appear in the names of the goals. */
export type Sizes = {
  versions: { small: number; large: number };
  memoryJoins: number;
  liveSessions: number;
};

export type Report = {
  measuredAt: string;
  mode: 'full' | 'quick';
  /** The groups that were asked for; absent: all. */
  groups?: readonly BenchmarkName[];
  sizes: Sizes;
  machine: Machine;
  versions: Record<string, string>;
  measurements: Measurement[];
  checks: Check[];
  /** Sentences about what was left out and why. */
  notes: string[];
};

export type Where = { benchmark: string; variant: string };

/** Gathers a report while the benchmarks run. */
export class ReportWriter {
  readonly report: Report;

  constructor(frame: Omit<Report, 'measurements' | 'checks' | 'notes'>) {
    this.report = { ...frame, measurements: [], checks: [], notes: [] };
  }

  add(where: Where, metric: string, unit: Unit, value: number | null): void {
    if (value === null) return;
    const known = findMeasurement(this.report, where, metric);
    if (known) known.rounds.push(value);
    else this.report.measurements.push({ ...where, metric, unit, rounds: [value] });
  }

  check(where: Where, what: string, holds: boolean): void {
    this.report.checks.push({ ...where, what, holds });
  }

  note(sentence: string): void {
    if (!this.report.notes.includes(sentence)) this.report.notes.push(sentence);
  }
}

export const findMeasurement = (
  { measurements }: Pick<Report, 'measurements'>,
  { benchmark, variant }: Where,
  metric: string,
): Measurement | undefined =>
  measurements.find(
    (each) => each.benchmark === benchmark && each.variant === variant && each.metric === metric,
  );

export const BEGIN = '<!-- begin: written by npm run bench -->';

export const END = '<!-- end: written by npm run bench -->';

/** Replaces what is between the markers and keeps what people wrote around them. */
export const replaceGenerated = (page: string, generated: string): string => {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`The page lacks ${BEGIN} or ${END}.`);
  return `${before}${BEGIN}\n\n${generated}\n\n${END}${after}`;
};
