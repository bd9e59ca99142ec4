// Prints what the tests of faults have reported, one line of JSON each.
import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ name: string, joins: number, edits: number, putOff: number, unanswered: number,
 *   slowestMs: number, lostJoins: number, lostEdits: number, seatsTooMany: number }} FaultReport
 */

/** @type {[string, (report: FaultReport) => number][]} */
const COLUMNS = [
  ['joins', ({ joins }) => joins],
  ['edits', ({ edits }) => edits],
  ['put off', ({ putOff }) => putOff],
  ['unanswered', ({ unanswered }) => unanswered],
  ['slowest ms', ({ slowestMs }) => slowestMs],
  ['lost joins', ({ lostJoins }) => lostJoins],
  ['lost edits', ({ lostEdits }) => lostEdits],
  ['seats too many', ({ seatsTooMany }) => seatsTooMany],
];

/** @param {string} file */
export function printFaults(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const reports = lines.map((line) => /** @type {FaultReport} */ (JSON.parse(line)));
  const rows = [...reports.map(toRow), toTotal(reports)];
  console.log(`\n${COLUMNS.map(([title]) => title.padStart(title.length + 2)).join('')}  fault`);
  for (const { name, values } of rows) {
    const cells = COLUMNS.map(([title], index) => String(values[index]).padStart(title.length + 2));
    console.log(`${cells.join('')}  ${name}`);
  }
}

/** @param {FaultReport} report */
function toRow(report) {
  return { name: report.name, values: COLUMNS.map(([, read]) => read(report)) };
}

/** @param {FaultReport[]} reports */
function toTotal(reports) {
  const values = COLUMNS.map(([title, read]) => {
    const all = reports.map(read);
    return title === 'slowest ms'
      ? Math.max(0, ...all)
      : all.reduce((sum, value) => sum + value, 0);
  });
  return { name: 'all of them', values };
}
