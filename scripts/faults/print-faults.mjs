// Prints what the tests of faults have reported as a table.

/** @typedef {import('./read-reports.mjs').FaultReport} FaultReport */

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

/** @param {readonly FaultReport[]} reports */
export function printFaults(reports) {
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

/** @param {readonly FaultReport[]} reports */
function toTotal(reports) {
  const values = COLUMNS.map(([title, read]) => {
    const all = reports.map(read);
    return title === 'slowest ms'
      ? Math.max(0, ...all)
      : all.reduce((sum, value) => sum + value, 0);
  });
  return { name: 'all of them', values };
}
