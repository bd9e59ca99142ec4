// What a whole run of the faults has not shown, though each of its tests has passed.

/** @typedef {import('./read-reports.mjs').FaultReport} FaultReport */

const FEWEST_JOINS = 100_000;

/**
 * @param {readonly FaultReport[]} reports
 * @returns {string[]} one sentence each
 */
export function findShortfalls(reports) {
  const joins = reports.reduce((sum, report) => sum + report.joins, 0);
  return joins < FEWEST_JOINS
    ? [`Only ${joins} joins were made, and fewer than ${FEWEST_JOINS} show little.`]
    : [];
}
