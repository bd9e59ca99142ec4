// Runs the tests of our own consumers that write pacts, and collects the files in one folder.
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../run/run-program.mjs';
import { listWorkspaces, ROOT } from '../setup/repository.mjs';
import { projectEnvironment } from '../setup/runtime.mjs';

const EXAMPLES = 'contracts/examples/';
const WEB = 'apps/web';
const VITEST = ['run', '--reporter=dot', '--silent=passed-only'];

/** @param {string} folder gets the pacts @returns {Promise<number>} 0 when all tests have passed */
export async function generatePacts(folder) {
  const env = { ...projectEnvironment(), PACTS_FOLDER: folder };
  // The examples use the client as others do: as the package that it is published as.
  const build = ['run', 'build', '--filter=@muster/client', '--output-logs=errors-only'];
  const code =
    (await runProgram({ command: 'turbo', args: build, env })) ||
    (await runTests('packages/client', 'test/pact/', env));
  return code || generateOfOthers(folder, env);
}

/** The others keep their pact in a folder of their own, as a consumer in a repository of its own does.
 * @param {string} folder @param {NodeJS.ProcessEnv} env */
async function generateOfOthers(folder, env) {
  const examples = listWorkspaces().filter((path) => path.startsWith(EXAMPLES));
  for (const workspace of [...examples, WEB]) {
    const code = await runTests(workspace, '.pact.test.ts', env);
    if (code !== 0) return code;
    const pacts = join(ROOT, workspace, 'pacts');
    for (const name of readdirSync(pacts).filter((file) => file.endsWith('.json'))) {
      copyFileSync(join(pacts, name), join(folder, name));
    }
  }
  return 0;
}

/** @param {string} workspace @param {string} filter @param {NodeJS.ProcessEnv} env */
function runTests(workspace, filter, env) {
  return runProgram({
    command: 'vitest',
    args: [...VITEST, filter],
    env,
    cwd: join(ROOT, workspace),
  });
}
