// The table of contents of `npm run check`: what is checked, in which order.
import { findIncompleteLockfiles } from '../complete-lockfile.mjs';
import { checkImports } from '../import-rules/check-imports.mjs';
import { runProgram } from '../run/run-program.mjs';
import { ROOT } from '../setup/repository.mjs';
import { projectEnvironment } from '../setup/runtime.mjs';
import { EVERYDAY, runTests } from '../test/run-tests.mjs';
import { checkProse } from './prose.mjs';
import {
  checkDocumentedPaths,
  checkPinnedVersions,
  checkPublishedLinks,
} from './repository-files.mjs';
import { checkSupplyChain } from './supply-chain.mjs';

/** A step that is a program of its own. @param {string} command @param {string[]} args */
const program = (command, args) => () => runProgram({ command, args, env: projectEnvironment() });

/** A step that lists what is wrong, one sentence each. @param {() => string[]} find */
const problems = (find) => async () => {
  const sentences = find();
  for (const sentence of sentences) console.log(`  ${sentence}`);
  return sentences.length > 0 ? 1 : 0;
};

/** They must install on every platform, whichever registry they were written from. */
const checkLockfiles = () =>
  findIncompleteLockfiles().map(
    (file) => `${file} is not complete: run "node scripts/complete-lockfile.mjs".`,
  );

const TURBO_OUTPUT = ['--output-logs=errors-only', '--log-order=grouped'];
const CHECK_DRIFT = ['run', '--silent', 'check-drift', '--workspace', '@muster/database'];

/** A step is fine when it answers 0. @type {Record<string, () => Promise<number>>} */
const STATIC_STEPS = {
  'format and lint': program('biome', ['check', '--error-on-warnings', '.']),
  types: program('turbo', ['run', 'types', '--continue=always', ...TURBO_OUTPUT]),
  'import rules': problems(() => checkImports(ROOT)),
  'dead code': program('knip', ['--no-progress', '--no-config-hints']),
  prose: async () => checkProse([]),
  'pinned versions': problems(checkPinnedVersions),
  lockfiles: problems(checkLockfiles),
  'supply chain': problems(checkSupplyChain),
  // Generated files that are committed must be what their source generates now. Each command lists the differences.
  migrations: program('npm', CHECK_DRIFT),
  'database client': program('node', ['packages/database/src/generate-client.ts', '--check']),
  contracts: program('node', ['scripts/openapi/write-documents.ts', '--check']),
  'reference pages': program('node', ['scripts/site/write-reference.ts', '--check']),
  pacts: program('node', ['scripts/run.mjs', 'pacts', '--check']),
  'API documents': program('redocly', ['lint', '--config', 'scripts/openapi/redocly.yaml']),
  'released contract': program('node', ['scripts/openapi/release-gate.ts']),
  'documented paths': problems(() => [...checkDocumentedPaths(), ...checkPublishedLinks()]),
};

/**
 * All steps run, even when one fails.
 * @param {{ isStatic: boolean }} options without the tests @returns {Promise<number>} the exit code
 */
export async function runCheck({ isStatic }) {
  const tests = { tests: () => runTests([EVERYDAY]) };
  const steps = isStatic ? STATIC_STEPS : { ...STATIC_STEPS, ...tests };
  const lines = [];
  let hasFailed = false;
  for (const [name, run] of Object.entries(steps)) {
    console.log(`\n── ${name}`);
    const startedAt = performance.now();
    const code = await run().catch((error) => {
      console.log(`  ${error.stack}`);
      return 1;
    });
    if (code !== 0) hasFailed = true;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
    lines.push(`  ${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(18)} ${seconds} s`);
  }
  console.log(`\nThe check\n${lines.join('\n')}`);
  return hasFailed ? 1 : 0;
}
