// The table of contents of `npm run check`: what is checked, in which order.
import { findIncompleteLockfiles } from '../complete-lockfile.mjs';
import { checkImports } from '../import-rules/check-imports.mjs';
import { lintDocuments } from '../openapi/lint-documents.mjs';
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

/** A step is fine when it answers 0. @typedef {{ name: string, run: () => Promise<number> }} Step */
/** @typedef {{ name: string, code: number, seconds: string }} Outcome */

/** @param {{ isStatic: boolean }} options without the tests @returns {Promise<number>} the exit code */
export function runCheck({ isStatic }) {
  const tests = { name: 'tests', run: () => runTests([EVERYDAY]) };
  return runSteps(isStatic ? STATIC_STEPS : [...STATIC_STEPS, tests]);
}

/** A step that is a program of its own. @param {string} command @param {string[]} args */
function program(command, args) {
  return () => runProgram({ command, args, env: projectEnvironment() });
}

/** A step that lists what is wrong, one sentence each. @param {() => string[]} find */
function problems(find) {
  return async () => {
    const sentences = find();
    for (const sentence of sentences) console.log(`  ${sentence}`);
    return sentences.length > 0 ? 1 : 0;
  };
}

/** All steps run, even when one fails. @param {Step[]} steps @returns {Promise<number>} the process's exit code */
async function runSteps(steps) {
  const outcomes = [];
  for (const step of steps) outcomes.push(await runStep(step));
  const lines = outcomes.map(({ name, code, seconds }) => {
    return `  ${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(18)} ${seconds} s`;
  });
  const failed = outcomes.filter(({ code }) => code !== 0);
  console.log(`\nThe check\n${lines.join('\n')}`);
  return failed.length > 0 ? 1 : 0;
}

/** @param {Step} step @returns {Promise<Outcome>} */
async function runStep({ name, run }) {
  console.log(`\n── ${name}`);
  const startedAt = performance.now();
  const code = await run().catch((error) => {
    console.log(`  ${error.stack}`);
    return 1;
  });
  return { name, code, seconds: ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6) };
}

// Generated files that are committed must be what their source generates now.

/**
 * One entry per kind of generated file. Each command generates into a temporary folder, compares,
 * lists the differences, and exits with 0 only when there are none.
 */
const GENERATED = [
  {
    what: 'prisma/migrations are what prisma/schema.prisma describes',
    compare: program('npm', ['run', '--silent', 'check-drift', '--workspace', '@muster/database']),
  },
  {
    what: 'packages/database/src/generated is what prisma/schema.prisma generates',
    compare: program('node', ['packages/database/src/generate-client.ts', '--check']),
  },
  {
    what: 'the documents in contracts, and the types of packages/admin-client, are what the code describes',
    compare: program('node', ['scripts/openapi/write-documents.ts', '--check']),
  },
  {
    what: 'docs/reference, docs/admin-api.md and the pages of limits and metrics are what settings, errors, schemas, limits and the registry say',
    compare: program('node', ['scripts/site/write-reference.ts', '--check']),
  },
  {
    what: 'contracts/pacts are what the tests of our own consumers write',
    compare: program('node', ['scripts/run.mjs', 'pacts', '--check']),
  },
];

async function checkGeneratedFiles() {
  let failures = 0;
  for (const { what, compare } of GENERATED) {
    const code = await compare();
    console.log(`  ${code === 0 ? 'yes' : 'NO '}  ${what}`);
    if (code !== 0) failures += 1;
  }
  return failures === 0 ? 0 : 1;
}

/** They must install on every platform, whichever registry they were written from. */
const checkLockfiles = () =>
  findIncompleteLockfiles().map(
    (file) => `${file} is not complete: run "node scripts/complete-lockfile.mjs".`,
  );

const TURBO_OUTPUT = ['--output-logs=errors-only', '--log-order=grouped'];

/** @type {Step[]} */
const STATIC_STEPS = [
  { name: 'format and lint', run: program('biome', ['check', '--error-on-warnings', '.']) },
  { name: 'types', run: program('turbo', ['run', 'types', '--continue=always', ...TURBO_OUTPUT]) },
  { name: 'import rules', run: problems(() => checkImports(ROOT)) },
  { name: 'dead code', run: program('knip', ['--no-progress', '--no-config-hints']) },
  { name: 'prose', run: async () => checkProse([]) },
  { name: 'pinned versions', run: problems(checkPinnedVersions) },
  { name: 'lockfiles', run: problems(checkLockfiles) },
  { name: 'supply chain', run: problems(checkSupplyChain) },
  { name: 'generated files', run: checkGeneratedFiles },
  { name: 'API documents', run: lintDocuments },
  { name: 'released contract', run: program('node', ['scripts/openapi/release-gate.ts']) },
  {
    name: 'documented paths',
    run: problems(() => [...checkDocumentedPaths(), ...checkPublishedLinks()]),
  },
];
