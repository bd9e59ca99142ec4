// node scripts/run.mjs faults [<name> ...]: which tests run, under which load, and what each fault did as a table.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, SetupError } from '../setup/repository.mjs';

/** Six times the load makes more than 100,000 joins in less than 20 minutes. */
const SCALE = '6';

/**
 * Runs the tests that make databases, processes, networks, disks and clocks fail, and prints what each fault did.
 * @param {readonly string[]} names of the faults; all by default
 * @param {{ setUp: () => Promise<void>,
 *   runTests: (files: string[], env: NodeJS.ProcessEnv) => Promise<number> }} steps
 * @returns {Promise<number>} the exit code
 */
export async function runFaults(names, { setUp, runTests }) {
  const files = chooseFaults(names);
  if (files === null) return 0;
  await setUp();
  const folder = mkdtempSync(join(tmpdir(), 'muster-faults-'));
  const report = join(folder, 'faults.jsonl');
  const { FAULTS_SCALE = SCALE } = process.env;
  try {
    const code = await runTests(files, { FAULTS_SCALE, FAULTS_REPORT: report });
    const reports = readReports(report);
    printFaults(reports);
    // A run of single faults need not reach the number of joins of a whole run.
    const shortfalls = names.length === 0 ? findShortfalls(reports) : [];
    for (const shortfall of shortfalls) console.error(shortfall);
    return code === 0 && shortfalls.length > 0 ? 1 : code;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const FOLDER = 'apps/api/test/faults';

/**
 * @param {readonly string[]} args
 * @returns {string[] | null} paths; null where only help was asked for
 */
export function chooseFaults(args) {
  const files = readdirSync(join(ROOT, FOLDER)).filter((file) => file.endsWith('.proof.test.ts'));
  const known = new Map(
    files.map((file) => [file.replace(/(?:-faults)?\.proof\.test\.ts$/, ''), `${FOLDER}/${file}`]),
  );
  const usage = `Use: node scripts/run.mjs faults [<name> ...], all by default. Names: ${[...known.keys()].join(', ')}.`;
  const { values, positionals } = read(args, usage);
  if (values.help) {
    console.log(usage);
    return null;
  }
  const unknown = positionals.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new SetupError(`There is no ${unknown.join(', ')}. ${usage}`);
  const chosen = positionals.length > 0 ? positionals : [...known.keys()];
  return [...known].filter(([name]) => chosen.includes(name)).map(([, file]) => file);
}

/** @param {readonly string[]} args @param {string} usage */
function read(args, usage) {
  try {
    const options = /** @type {const} */ ({ help: { type: 'boolean', short: 'h' } });
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    throw new SetupError(usage);
  }
}

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
function printFaults(reports) {
  const rows = reports.map((report) => ({
    name: report.name,
    values: COLUMNS.map(([, read]) => read(report)),
  }));
  console.log(`\n${COLUMNS.map(([title]) => title.padStart(title.length + 2)).join('')}  fault`);
  for (const { name, values } of [...rows, toTotal(reports)]) {
    const cells = COLUMNS.map(([title], index) => String(values[index]).padStart(title.length + 2));
    console.log(`${cells.join('')}  ${name}`);
  }
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

/**
 * @typedef {{ name: string, joins: number, edits: number, putOff: number, unanswered: number,
 *   slowestMs: number, lostJoins: number, lostEdits: number, seatsTooMany: number }} FaultReport
 */

/** @param {string} file @returns {FaultReport[]} */
function readReports(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => /** @type {FaultReport} */ (JSON.parse(line)));
}
