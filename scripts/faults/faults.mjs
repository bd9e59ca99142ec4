// Runs the proofs of faults with more load, and prints the effect of each fault as a table.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, SetupError } from '../setup/repository.mjs';

/** Six times the load makes more than 100,000 joins in less than 20 minutes. */
const SCALE = '6';

/**
 * @param {readonly string[]} names of the faults; all by default
 * @param {(files: string[], env: NodeJS.ProcessEnv) => Promise<number>} runTests
 * @returns {Promise<number>} the exit code
 */
export async function runFaults(names, runTests) {
  const files = chooseFaults(names);
  const folder = mkdtempSync(join(tmpdir(), 'muster-faults-'));
  const report = join(folder, 'faults.jsonl');
  writeFileSync(report, '');
  const { FAULTS_SCALE = SCALE } = process.env;
  try {
    const code = await runTests(files, { FAULTS_SCALE, FAULTS_REPORT: report });
    const lines = readFileSync(report, 'utf8').split('\n').filter(Boolean);
    console.table(lines.map((line) => JSON.parse(line)));
    return code;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const FOLDER = 'apps/api/test/faults';
const ENDING = /(?:-faults)?\.proof\.test\.ts$/;

/** Throws for an unknown name. @param {readonly string[]} names @returns {string[]} paths */
export function chooseFaults(names) {
  const files = readdirSync(join(ROOT, FOLDER)).filter((file) => ENDING.test(file));
  const known = files.map((file) => file.replace(ENDING, ''));
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new SetupError(`There is no ${unknown.join(', ')}. Names: ${known.join(', ')}.`);
  }
  return files
    .filter((_, index) => names.length === 0 || names.includes(known[index] ?? ''))
    .map((file) => `${FOLDER}/${file}`);
}
