#!/usr/bin/env node
// npm run faults: the tests that make databases, processes, networks, disks and clocks fail, with far more load than in
// `npm test`, and what each fault did as a table.
// npm run faults -- network disk: only these.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseFaults } from './faults/choose-faults.mjs';
import { findShortfalls } from './faults/find-shortfalls.mjs';
import { printFaults } from './faults/print-faults.mjs';
import { readReports } from './faults/read-reports.mjs';
import { runProgram } from './run/run-program.mjs';
import { ROOT, runScript } from './setup/repository.mjs';
import { projectEnvironment } from './setup/runtime.mjs';
import { setUp } from './setup/set-up.mjs';

/** Six times the load makes more than 100,000 joins in less than 20 minutes. */
const SCALE = '6';

await runScript(async () => {
  const names = process.argv.slice(2);
  const files = chooseFaults(names);
  if (files === null) return 0;
  await setUp();
  const folder = mkdtempSync(join(tmpdir(), 'muster-faults-'));
  const report = join(folder, 'faults.jsonl');
  const code = await runProgram({
    command: 'vitest',
    args: ['run', '--root', join(ROOT, 'apps/api'), ...files],
    env: { FAULTS_SCALE: SCALE, ...projectEnvironment(), FAULTS_REPORT: report },
  });
  const reports = readReports(report);
  printFaults(reports);
  rmSync(folder, { recursive: true });
  // Of single faults nothing is expected but that they pass.
  const shortfalls = names.length === 0 ? findShortfalls(reports) : [];
  for (const shortfall of shortfalls) console.error(shortfall);
  return code === 0 && shortfalls.length > 0 ? 1 : code;
});
