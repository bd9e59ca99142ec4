// Runs the proofs of faults with more load, and prints the effect of each fault as a table.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, SetupError } from '../setup/repository.mjs';

/** Six times the load makes more than 100,000 joins in less than 20 minutes. */
const SCALE = '6';
const FEWEST_JOINS = 100_000;

/**
 * @typedef {{ name: string, joins: number, edits: number, putOff: number, unanswered: number,
 *   slowestMs: number, lostJoins: number, lostEdits: number, seatsTooMany: number }} FaultReport
 */

/**
 * @param {readonly string[]} names of the faults; all by default
 * @param {(files: string[], env: NodeJS.ProcessEnv) => Promise<number>} runTests
 * @returns {Promise<number>} the exit code
 */
export async function runFaults(names, runTests) {
  const files = chooseFaults(names);
  if (files === null) return 0;
  const folder = mkdtempSync(join(tmpdir(), 'muster-faults-'));
  const report = join(folder, 'faults.jsonl');
  const { FAULTS_SCALE = SCALE } = process.env;
  try {
    const code = await runTests(files, { FAULTS_SCALE, FAULTS_REPORT: report });
    const lines = existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n') : [];
    const reports = lines.map((line) => /** @type {FaultReport} */ (JSON.parse(line)));
    console.table(reports);
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
 * @returns {string[] | null} paths; null where only help was requested
 */
export function chooseFaults(args) {
  const files = readdirSync(join(ROOT, FOLDER)).filter((file) => file.endsWith('.proof.test.ts'));
  const known = new Map(
    files.map((file) => [file.replace(/(?:-faults)?\.proof\.test\.ts$/, ''), `${FOLDER}/${file}`]),
  );
  const usage = `Use: node scripts/run.mjs faults [<name> ...], all by default. Names: ${[...known.keys()].join(', ')}.`;
  if (args.includes('--help')) {
    console.log(usage);
    return null;
  }
  const unknown = args.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new SetupError(`There is no ${unknown.join(', ')}. ${usage}`);
  const chosen = args.length > 0 ? args : [...known.keys()];
  return [...known].filter(([name]) => chosen.includes(name)).map(([, file]) => file);
}

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
