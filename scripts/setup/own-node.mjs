// Brings the project's Node.js out of its npm package, and nothing else of it: the headers for compilers, which no program here reads,
// are a third of the package's 190 MB and 2,800 of the 21,000 files that an installation would write.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from '../run/run-program.mjs';
import { ROOT, readJson, readManifest, SetupError } from './repository.mjs';
import { machineEnvironment, OWN_NODE, OWN_NODE_FOLDER, OWN_PACKAGE } from './runtime.mjs';

/** Outside of node_modules, which npm empties at the same time. */
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
 * SetupError where that fails, as without `tar` or with a registry that allows no download by name: `npm ci` may still bring it.
 * @param {(args: string[]) => { command: string, args: string[] }} npm the command that runs npm with these arguments
 */
export async function fetchOwnNode(npm) {
  removePartial();
  mkdirSync(PARTIAL);
  const { version, integrity } = lockedNode();
  const name = `${OWN_PACKAGE}@${version}`;
  await run(npm(['pack', name, '--pack-destination', PARTIAL]), `Downloading ${name}`);
  const file = readdirSync(PARTIAL).find((entry) => entry.endsWith('.tgz')) ?? '';
  const digest = createHash('sha512')
    .update(readFileSync(join(PARTIAL, file)))
    .digest('base64');
  if (integrity !== `sha512-${digest}`) {
    throw new SetupError(`The checksum of ${name} is not the one of the lockfile.`);
  }
  // The names in the archive have slashes on every platform. Without -o, root would keep the owner of the archive's files.
  const binary = `bin/${OWN_NODE.slice(join(OWN_NODE_FOLDER, 'bin/').length)}`;
  const members = ['package.json', 'LICENSE', binary].map((member) => `package/${member}`);
  await run({ command: 'tar', args: ['-xzof', file, ...members] }, `Unpacking ${name}`);
}

/** @returns {{ version?: string, integrity?: string }} */
function lockedNode() {
  const lock =
    /** @type {{ packages: Record<string, { version?: string, integrity?: string }> }} */ (
      readJson('package-lock.json')
    );
  return lock.packages[`node_modules/${OWN_PACKAGE}`] ?? {};
}

/** @param {{ command: string, args: string[] }} program @param {string} what */
async function run(program, what) {
  const { code, output } = await runQuietly({
    ...program,
    cwd: PARTIAL,
    env: machineEnvironment(),
  });
  if (code !== 0) throw new SetupError(`${what} ended with ${code}: ${output.trim()}`);
}

/** To be called when npm has ended. Copies, since node_modules may be a volume; leaves a link where npm leaves one. */
export function placeOwnNode() {
  cpSync(join(PARTIAL, 'package'), OWN_NODE_FOLDER, { recursive: true, force: true });
  chmodSync(OWN_NODE, 0o755);
  const link = join(ROOT, 'node_modules/.bin/node');
  rmSync(link, { force: true });
  if (process.platform !== 'win32') symlinkSync(`../${OWN_PACKAGE}/bin/node`, link);
}

export function removePartial() {
  rmSync(PARTIAL, { recursive: true, force: true });
}
