// Brings the project's Node.js out of its npm package, and nothing else of it: the headers for compilers, which no program here reads,
// are a third of the package's 190 MB and 2,800 of the 21,000 files that an installation would write.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../run/run-program.mjs';
import { ROOT, readJson, readManifest, SetupError } from './repository.mjs';
import { machineEnvironment, OWN_NODE, OWN_NODE_FOLDER, OWN_PACKAGE } from './runtime.mjs';

/** Outside of node_modules, which npm empties at the same time; on the same file system, so that it can be moved there. */
const PARTIAL = join(ROOT, '.own-node');

/** The workspace whose manifest names the package of each platform. */
const OWNER = 'scripts';

/** Whether there is a package for this platform. */
export function hasOwnNode() {
  return OWN_PACKAGE in (readManifest(OWNER).optionalDependencies ?? {});
}

/** npm leaves an optional package out without a word when it cannot be downloaded or its checksum is another. */
export function isOwnNodeMissing() {
  return hasOwnNode() && !existsSync(OWN_NODE);
}

/**
 * Downloads the package as the lockfile names it and takes the binary out; `placeOwnNode` then puts it into node_modules. Throws a
 * SetupError where the download fails or is another than the lockfile says.
 * @param {(args: string[]) => { command: string, args: string[] }} npm the command that runs npm with these arguments
 */
export async function fetchOwnNode(npm) {
  rmSync(PARTIAL, { recursive: true, force: true });
  mkdirSync(PARTIAL);
  const { version, integrity } = lockedNode();
  const name = `${OWN_PACKAGE}@${version}`;
  await run(
    npm(['pack', name, '--pack-destination', PARTIAL, '--prefer-offline', '--loglevel=error']),
    `Downloading ${name}`,
  );
  const file = readdirSync(PARTIAL).find((entry) => entry.endsWith('.tgz')) ?? '';
  const digest = createHash('sha512')
    .update(readFileSync(join(PARTIAL, file)))
    .digest('base64');
  if (integrity !== `sha512-${digest}`) {
    throw new SetupError(`The checksum of ${name} is not the one of the lockfile.`);
  }
  const members = ['package.json', 'LICENSE', OWN_NODE.slice(OWN_NODE_FOLDER.length + 1)];
  // Without -o, root would make the file belong to the user id of whoever packed it.
  const args = ['-xzof', file, ...members.map((member) => `package/${member}`)];
  await run({ command: 'tar', args }, `Unpacking ${name}`);
}

/** @returns {{ version?: string, integrity?: string }} */
function lockedNode() {
  const lock =
    /** @type {{ packages: Record<string, { version?: string, integrity?: string }> }} */ (
      readJson('package-lock.json')
    );
  return lock.packages[`node_modules/${OWN_PACKAGE}`] ?? {};
}

/** Its stdout joins our stderr. @param {{ command: string, args: string[] }} program @param {string} what */
async function run(program, what) {
  const code = await runProgram({
    ...program,
    cwd: PARTIAL,
    env: machineEnvironment(),
    stdio: ['ignore', 'ignore', 2],
  });
  if (code !== 0) throw new SetupError(`${what} failed (it ended with ${code}; see above).`);
}

/** To be called when npm has ended. Leaves a link where npm leaves one: programs that are started by name find it first. */
export function placeOwnNode() {
  renameSync(join(PARTIAL, 'package'), OWN_NODE_FOLDER);
  rmSync(PARTIAL, { recursive: true, force: true });
  const link = join(ROOT, 'node_modules/.bin/node');
  rmSync(link, { force: true });
  if (process.platform !== 'win32') symlinkSync(`../${OWN_PACKAGE}/bin/node`, link);
}
