// Installs the packages of the lockfile when they are not installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../run/run-program.mjs';
import { fingerprint, isStamped, writeStamp } from './fingerprint.mjs';
import { listWorkspaces, ROOT, readManifest, report, SetupError } from './repository.mjs';
import {
  findOwnRuntime,
  findPackageManager,
  findRuntime,
  machineEnvironment,
  OWN_NODE,
  OWN_NODE_FOLDER,
  OWN_PACKAGE,
} from './runtime.mjs';

/**
 * What an installation is for: `runtime` has what the service and its command-line tools need, `development` also what tests and checks need.
 * @typedef {'runtime' | 'development'} Scope
 */

/** The workspaces that a start needs; `scripts` has the project's Node.js. */
const RUNTIME_WORKSPACES = ['@muster/api', '@muster/conformance', '@muster/web', '@muster/scripts'];

/** @type {Record<Scope, string[]>} */
const NPM_ARGUMENTS = {
  runtime: [
    '--omit=dev',
    '--include-workspace-root',
    ...RUNTIME_WORKSPACES.map((name) => `--workspace=${name}`),
  ],
  development: ['--include=dev'],
};

/** The arguments with which other package managers install exactly their lockfile. */
const OWN_ARGUMENTS = {
  npm: [],
  bun: ['install', '--frozen-lockfile'],
  deno: ['install', '--frozen', '--quiet'],
};

const listManifests = () => ['', ...listWorkspaces()].map((folder) => join(folder, 'package.json'));

/** Includes the package manager, since each has a layout of node_modules of its own. */
function installFingerprint() {
  const platform = [process.platform, process.arch, findPackageManager()];
  return fingerprint(['package-lock.json', '.npmrc', 'deno.lock', ...listManifests()], platform);
}

/** @param {Scope} scope */
export function isInstalled(scope) {
  const digest = installFingerprint();
  const isFor = (/** @type {Scope} */ each) => isStamped(`install-${each}`, digest);
  return isFor('development') || isFor(scope);
}

/**
 * Returns once node_modules is what the lockfile says; throws a SetupError when it cannot.
 * @param {Scope} scope
 */
export async function installDependencies(scope) {
  if (isInstalled(scope)) return;
  const digest = installFingerprint();
  const own = findOwnRuntime();
  if (own) {
    await install({ command: own.command, args: OWN_ARGUMENTS[findPackageManager()] });
    return writeStamp('install-development', digest);
  }
  const isComplete = isInstalledByHand();
  if (!isComplete) await install(npmCommand(scope));
  if (!isComplete && scope === 'runtime') removeUnreadFiles();
  assertRuntimeWorks();
  writeStamp(`install-${isComplete ? 'development' : scope}`, digest);
}

/** @param {{ command: string, args: string[] }} installer */
async function install(installer) {
  const startedAt = performance.now();
  report('Installing packages (about a minute the first time) …');
  // Its output joins our stderr: stdout belongs to the program that needs the packages.
  const code = await runProgram({
    ...installer,
    env: machineEnvironment(),
    stdio: ['ignore', 2, 2],
  });
  if (code !== 0) {
    const name = findPackageManager();
    throw new SetupError(`Installing the packages failed (${name} ended with ${code}; see above).`);
  }
  report(`Packages installed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}

/**
 * The npm that runs this script, on its Node.js, or else the one of the machine. The cache of npm is current: the lockfile names every
 * version and its checksum.
 * @param {Scope} scope
 */
function npmCommand(scope) {
  const quiet = ['--prefer-offline', '--loglevel=error', '--no-audit', '--no-fund'];
  const args = ['ci', ...NPM_ARGUMENTS[scope], ...quiet];
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (npm && node) return { command: node, args: [npm, ...args] };
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args };
}

/**
 * Whether a person's `npm install` has brought all packages: npm writes its hidden lockfile last, and no manifest or lockfile has
 * changed since.
 */
function isInstalledByHand() {
  /** @param {string} file */
  const changedAt = (file) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const installedAt = changedAt('node_modules/.package-lock.json');
  return (
    existsSync(join(ROOT, 'node_modules/vitest')) &&
    ['package-lock.json', ...listManifests()].every((file) => changedAt(file) <= installedAt)
  );
}

/** Headers of Node.js, and what Prisma has for other databases and environments: 130 MB that nothing reads here. */
function removeUnreadFiles() {
  rmSync(join(OWN_NODE_FOLDER, 'include'), { recursive: true, force: true });
  const folder = join(ROOT, 'node_modules/@prisma/client/runtime');
  const unread = /_bg\.(?!postgresql\.)|_small_bg\.|^wasm-compiler-edge\.|\.map$/;
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((entry) => unread.test(entry))) rmSync(join(folder, name));
}

function assertRuntimeWorks() {
  // npm omits an optional package silently when its download fails or its checksum is wrong.
  if (
    OWN_PACKAGE in (readManifest('scripts').optionalDependencies ?? {}) &&
    !existsSync(OWN_NODE)
  ) {
    throw new SetupError(
      "npm left out the project's Node.js: its download failed, or its checksum is not the one of the lockfile. " +
        'Remove node_modules and start again.',
    );
  }
  const runtime = findRuntime();
  if (spawnSync(runtime, ['--version'], { stdio: 'ignore' }).status === 0) return;
  throw new SetupError(
    `${runtime} does not run on this machine: remove node_modules and start again, ` +
      'or use a machine with glibc 2.28 or newer.',
  );
}
