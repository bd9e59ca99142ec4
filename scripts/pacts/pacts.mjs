// Writes contracts/pacts from the tests of our own consumers, or compares them byte by byte.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../run/run-program.mjs';
import { listWorkspaces, ROOT, readManifest } from '../setup/repository.mjs';
import { projectEnvironment } from '../setup/runtime.mjs';

const COMMITTED = join(ROOT, 'contracts/pacts');

/** Compares or replaces the committed pacts; does neither when a test of a consumer fails.
 * @param {{ isCheck: boolean }} options @returns {Promise<number>} the exit code */
export async function updatePacts({ isCheck }) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pacts-'));
  try {
    const code = await generatePacts(folder);
    if (code !== 0) return code;
    const differences = comparePacts(readPacts(COMMITTED), readPacts(folder));
    for (const sentence of differences) console.log(sentence);
    if (isCheck && differences.length > 0) console.log('Run "node scripts/run.mjs pacts".');
    if (isCheck) return differences.length > 0 ? 1 : 0;
    rmSync(COMMITTED, { recursive: true });
    cpSync(folder, COMMITTED, { recursive: true });
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder */
const listPacts = (folder) => readdirSync(folder).filter((name) => name.endsWith('.json'));

/** @param {string} folder @returns {Map<string, string>} the text of each pact by its file's name */
const readPacts = (folder) =>
  new Map(listPacts(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

const OTHERS = ['apps/web', 'packages/client'];
const VITEST = ['run', '--reporter=dot', '--silent=passed-only'];
const BUILD_CLIENT = ['run', 'build', '--filter=@muster/client', '--output-logs=errors-only'];

/** @param {string} folder gets the pacts @returns {Promise<number>} 0 when all tests have passed */
async function generatePacts(folder) {
  // The examples represent consumers in other repositories: they use the published client and their own settings.
  const examples = listWorkspaces().filter(
    (path) => path.startsWith('contracts/examples/') && hasPacts(path),
  );
  const tests = OTHERS.map((workspace) => `${workspace}/test/`);
  let code =
    (await run('vitest', [...VITEST, '--project=contract', ...tests])) ||
    (await run('turbo', BUILD_CLIENT));
  for (const workspace of examples) {
    code ||= await run('vitest', [...VITEST, '.contract.test.ts'], join(ROOT, workspace));
  }
  if (code !== 0) return code;
  for (const workspace of [...examples, ...OTHERS]) {
    const pacts = join(ROOT, workspace, 'pacts');
    for (const name of listPacts(pacts)) cpSync(join(pacts, name), join(folder, name));
  }
  return 0;
}

/** Examples of game backends use no pacts. @param {string} workspace */
const hasPacts = (workspace) =>
  '@muster/pact-kit' in (readManifest(workspace).devDependencies ?? {});

/** @param {string} command @param {string[]} args @param {string} [cwd] */
const run = (command, args, cwd = ROOT) =>
  runProgram({ command, args, env: projectEnvironment(), cwd });

/**
 * One sentence for each pact that differs.
 * @param {ReadonlyMap<string, string>} committed texts by file name
 * @param {ReadonlyMap<string, string>} generated
 * @returns {string[]}
 */
export function comparePacts(committed, generated) {
  const names = [...new Set([...committed.keys(), ...generated.keys()])].sort();
  return names
    .filter((name) => committed.get(name) !== generated.get(name))
    .map((name) => {
      if (!generated.has(name)) return `contracts/pacts/${name}: no test writes it any more`;
      return `contracts/pacts/${name} is ${committed.has(name) ? 'changed' : 'new'}`;
    });
}
