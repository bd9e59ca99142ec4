// Writes contracts/pacts from the tests of our own consumers, or compares them byte by byte.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../run/run-program.mjs';
import { listWorkspaces, ROOT } from '../setup/repository.mjs';
import { projectEnvironment } from '../setup/runtime.mjs';

const COMMITTED = join(ROOT, 'contracts/pacts');

/** Answers 0 when every committed pact is what its consumer's tests write now. */
export function checkPacts() {
  return withPacts((folder) => {
    const differences = comparePacts(readPacts(COMMITTED), readPacts(folder));
    for (const sentence of differences)
      console.log(`${sentence}: run "node scripts/run.mjs pacts".`);
    return differences.length > 0 ? 1 : 0;
  });
}

/** Replaces the committed pacts. */
export function writePacts() {
  return withPacts((folder) => {
    for (const name of readPacts(COMMITTED).keys()) rmSync(join(COMMITTED, name));
    mkdirSync(COMMITTED, { recursive: true });
    for (const name of readPacts(folder).keys()) {
      copyFileSync(join(folder, name), join(COMMITTED, name));
      console.log(`contracts/pacts/${name} written`);
    }
    return 0;
  });
}

/** Nothing is compared or written when a consumer's tests fail.
 * @param {(folder: string) => number} use @returns {Promise<number>} */
async function withPacts(use) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pacts-'));
  try {
    return (await generatePacts(folder)) || use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder @returns {Map<string, string>} the text of each pact by its file's name */
function readPacts(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

const EXAMPLES = 'contracts/examples/';
const OTHERS = ['apps/web', 'packages/client'];
const VITEST = ['run', '--reporter=dot', '--silent=passed-only'];

/** @param {string} folder gets the pacts @returns {Promise<number>} 0 when all tests have passed */
export async function generatePacts(folder) {
  const examples = listWorkspaces().filter((path) => path.startsWith(EXAMPLES));
  const others = OTHERS.map((workspace) => `${workspace}/test/`);
  const code =
    (await run('vitest', [...VITEST, '--project=contract', ...others])) ||
    (await testExamples(examples));
  if (code !== 0) return code;
  for (const workspace of [...examples, ...OTHERS]) {
    const pacts = join(ROOT, workspace, 'pacts');
    for (const name of readdirSync(pacts).filter((file) => file.endsWith('.json'))) {
      copyFileSync(join(pacts, name), join(folder, name));
    }
  }
  return 0;
}

/** The examples are consumers in repositories of their own: they use the published client, and their own settings.
 * @param {string[]} examples their folders */
async function testExamples(examples) {
  const build = ['run', 'build', '--filter=@muster/client', '--output-logs=errors-only'];
  let code = await run('turbo', build);
  for (const workspace of examples) {
    code ||= await run('vitest', [...VITEST, '.contract.test.ts'], join(ROOT, workspace));
  }
  return code;
}

/** @param {string} command @param {string[]} args @param {string} [cwd] */
function run(command, args, cwd = ROOT) {
  return runProgram({ command, args, env: projectEnvironment(), cwd });
}

/**
 * One sentence for each pact that is not committed as it was generated.
 * @param {ReadonlyMap<string, string>} committed texts by file name
 * @param {ReadonlyMap<string, string>} generated
 * @returns {string[]}
 */
export function comparePacts(committed, generated) {
  const names = [...new Set([...committed.keys(), ...generated.keys()])].sort();
  return names.flatMap((name) => {
    const [old, current] = [committed.get(name), generated.get(name)];
    if (old === current) return [];
    const path = `contracts/pacts/${name}`;
    if (old === undefined) return [`${path} is missing`];
    if (current === undefined) return [`${path} is written by no consumer's tests`];
    return [`${path} is not what its consumer's tests write`];
  });
}
