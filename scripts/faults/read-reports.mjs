// Reads what the tests of faults have reported, one line of JSON each.
import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ name: string, joins: number, edits: number, putOff: number, unanswered: number,
 *   slowestMs: number, lostJoins: number, lostEdits: number, seatsTooMany: number }} FaultReport
 */

/** @param {string} file @returns {FaultReport[]} */
export function readReports(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => /** @type {FaultReport} */ (JSON.parse(line)));
}
