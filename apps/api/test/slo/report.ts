// Prints a measurement as one line, keeps it for a table, and compares it with the objectives.
import { appendFileSync } from 'node:fs';
import { expect } from 'vitest';
import { describeMeasurement } from './describe-measurement.ts';
import type { Measurement, Objectives } from './objectives.ts';
import { findMissed, toFloor } from './objectives.ts';

/** With SLO_REPORT_ONLY=1 a measurement that misses its objectives fails no test. */
const isReportOnly = process.env.SLO_REPORT_ONLY === '1';
/** With SLO_STRICT=1, on a quiet machine, a missed objective fails its test. Without it, only a missed floor does. */
const isStrict = process.env.SLO_STRICT === '1';
/** A file to which each measurement is appended, as one line of JSON. */
const REPORT = process.env.SLO_REPORT;

export const judge = (measurement: Measurement, objectives: Objectives): void => {
  const missed = findMissed(measurement, objectives);
  process.stdout.write(`${describeMeasurement(measurement, missed)}\n`);
  if (REPORT !== undefined) {
    appendFileSync(REPORT, `${JSON.stringify({ ...measurement, missed })}\n`);
  }
  const required = isStrict ? objectives : toFloor(objectives);
  if (!isReportOnly) expect(findMissed(measurement, required)).toEqual([]);
};
