// What a run has found: measured values per round, checks that must hold, and what was left out.
import type { Machine } from '../machine/describe-machine.ts';
import type { BenchmarkName } from '../options.ts';

export type Unit = 'per second' | 'ms' | 'µs' | 'bytes' | 'MB' | 's' | '%' | 'thousand';

export type Measurement = {
  /** Such as `join/distinct`. */
  benchmark: string;
  /** Such as `muster` or `idiomatic`. */
  variant: string;
  metric: string;
  unit: Unit;
  /** One value per round, in the order of the rounds. */
  rounds: number[];
};

export type Check = { benchmark: string; variant: string; what: string; holds: boolean };

/** How much was measured: the names of the goals say so. */
export type Sizes = {
  versions: { small: number; large: number };
  sessions: number;
  memoryJoins: number;
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

type Where = { benchmark: string; variant: string };

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
