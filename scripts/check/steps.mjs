// The table of contents of `npm run check`: what is checked, in which order.
import { checkImports } from '../import-rules/check-imports.mjs';
import { lintDocuments } from '../openapi/lint-documents.mjs';
import { ROOT } from '../setup/repository.mjs';
import { runTests } from '../test/run-tests.mjs';
import { checkDocumentedPaths } from './documented-paths.mjs';
import { checkFileSizes } from './file-sizes.mjs';
import { checkGeneratedFiles } from './generated-files.mjs';
import { checkLockfiles } from './lockfile.mjs';
import { checkPinnedVersions } from './pinned-versions.mjs';
import { problems, program } from './run-steps.mjs';

/** @typedef {import('./run-steps.mjs').Step} Step */

/** @type {Step[]} */
export const STATIC_STEPS = [
  { name: 'format and lint', run: program('biome', ['check', '--error-on-warnings', '.']) },
  { name: 'types', run: program('turbo', ['run', 'types', '--continue=always', ...turboOutput()]) },
  { name: 'import rules', run: problems(() => checkImports(ROOT)) },
  { name: 'dead code', run: program('knip', ['--no-progress', '--no-config-hints']) },
  { name: 'file sizes', run: problems(checkFileSizes) },
  { name: 'pinned versions', run: problems(checkPinnedVersions) },
  { name: 'lockfiles', run: problems(checkLockfiles) },
  { name: 'generated files', run: checkGeneratedFiles },
  { name: 'API documents', run: lintDocuments },
  { name: 'released contract', run: program('node', ['scripts/openapi/check-release.ts']) },
  { name: 'documented paths', run: problems(checkDocumentedPaths) },
];

/** @type {Step} */
export const TEST_STEP = { name: 'tests', run: () => runTests([]) };

function turboOutput() {
  return ['--output-logs=errors-only', '--log-order=grouped'];
}
