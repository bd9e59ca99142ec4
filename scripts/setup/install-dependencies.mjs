// Installs the packages of the lockfile when they are not installed as it says.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runProgram } from '../run/run-program.mjs';
import { fingerprint, isStamped, readIfPresent, writeStamp } from './fingerprint.mjs';
import {
  fetchOwnNode,
  hasOwnNode,
  isOwnNodeMissing,
  placeOwnNode,
  removePartial,
} from './own-node.mjs';
import { listWorkspaces, ROOT, readManifest, report, SetupError } from './repository.mjs';
import { findOwnRuntime, findPackageManager, findRuntime, machineEnvironment } from './runtime.mjs';

/**
 * What an installation is for. `runtime` brings what the service and its command-line tools need, a
 * fraction of what `development` brings for tests and checks; the latter serves both.
 * @typedef {'runtime' | 'development'} Scope
 */

/** The workspaces that run without the others. */
const RUNTIME_WORKSPACES = ['@muster/api', '@muster/conformance', '@muster/web'];

/** @type {Record<Scope, string[]>} */
const NPM_ARGUMENTS = {
  runtime: [
    '--omit=dev',
    '--include-workspace-root',
    ...RUNTIME_WORKSPACES.map((name) => `--workspace=${name}`),
  ],
  development: ['--include=dev'],
};

/** @param {Scope} scope */
function stampOf(scope) {
  return `install-${scope}`;
}

/** Bun and Deno lay node_modules out in their own ways: what one has installed says nothing to another. */
function installFingerprint() {
  const manifests = ['', ...listWorkspaces()].map((folder) => join(folder, 'package.json'));
  const platform = [process.platform, process.arch, findPackageManager()];
  return fingerprint(['package-lock.json', '.npmrc', 'deno.lock', ...manifests], platform);
}

/** @param {Scope} scope */
export function isInstalled(scope) {
  const digest = installFingerprint();
  return (
    isStamped(stampOf('development'), digest) ||
    (scope === 'runtime' && isStamped(stampOf('runtime'), digest))
  );
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
    await runInstall({ command: own.command, args: OWN_ARGUMENTS[findPackageManager()] });
    return writeStamp(stampOf('development'), digest);
  }
  const isComplete = isInstalledByNpm();
  if (!isComplete && scope === 'runtime') await installToRun();
  else if (!isComplete) await runInstall(npmCommand(installArguments(scope)));
  assertRuntimeWorks();
  writeStamp(stampOf(isComplete ? 'development' : scope), digest);
}

/** The packages and the project's Node.js at the same time, since npm keeps one core busy and not two. */
async function installToRun() {
  const fetching = hasOwnNode() ? fetchOwnNode(npmCommand) : Promise.resolve();
  try {
    const install = runInstall(npmCommand(installArguments('runtime')));
    // Report the first of two failures, after both have finished writing.
    const [, fetched] = await Promise.allSettled([install, fetching]);
    await install;
    if (fetched.status === 'fulfilled' && hasOwnNode()) placeOwnNode();
    else if (fetched.status === 'rejected') await installWithNode(fetched.reason);
  } finally {
    removePartial();
  }
  removeUnreadFiles();
}

/** All of the package, as npm unpacks it. @param {unknown} reason why the binary alone could not be taken out */
async function installWithNode(reason) {
  const why = reason instanceof Error ? reason.message : String(reason);
  report(`${why}\nInstalling the whole package of Node.js instead …`);
  const args = [...installArguments('runtime'), '--workspace=@muster/scripts'];
  await runInstall(npmCommand(args));
}

/** Removes what Prisma brings for other databases, other places to run and its authors, and nothing reads here: 65 MB. */
function removeUnreadFiles() {
  const folder = join(ROOT, 'node_modules/@prisma/client/runtime');
  const unread = /_bg\.(?!postgresql\.)|_small_bg\.|^wasm-compiler-edge\.|\.map$/;
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((entry) => unread.test(entry))) rmSync(join(folder, name));
}

/** The arguments that install exactly the lockfile without npm. */
const OWN_ARGUMENTS = {
  npm: [],
  bun: ['install', '--frozen-lockfile'],
  deno: ['install', '--frozen', '--quiet'],
};

/** @param {{ command: string, args: string[] }} installer */
async function runInstall(installer) {
  const startedAt = performance.now();
  report('Installing packages (about a minute the first time) …');
  // Its stdout joins our stderr: stdout belongs to the program that is set up for.
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['ignore', 2, 2];
  const program = { ...installer, env: machineEnvironment(), stdio };
  const code = await runProgram(program);
  if (code !== 0) {
    const name = findPackageManager();
    throw new SetupError(`Installing the packages failed (${name} ended with ${code}; see above).`);
  }
  report(`Packages installed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}

/** What the cache of npm knows is not asked for again: the lockfile names every version and its checksum. @param {Scope} scope */
const installArguments = (scope) => [
  'ci',
  ...NPM_ARGUMENTS[scope],
  '--prefer-offline',
  '--loglevel=error',
  '--no-audit',
  '--no-fund',
];

/** The same npm that runs this script, on the Node.js it runs on; else the one of the machine. @param {string[]} args */
function npmCommand(args) {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (npm && node) return { command: node, args: [npm, ...args] };
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args };
}

/**
 * Whether a person's own `npm install` already brought what the lockfile says: npm writes its
 * hidden lockfile last, so that an interrupted run leaves none or an old one.
 */
function isInstalledByNpm() {
  const wanted = parseLock(readIfPresent(join(ROOT, 'package-lock.json')));
  const present = parseLock(readIfPresent(join(ROOT, 'node_modules/.package-lock.json')));
  return (
    present !== null && wanted !== null && isLockCurrent(wanted) && isSameTree(wanted, present)
  );
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, link?: boolean,
 *   dependencies?: Record<string, string>, devDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string> }} Locked
 */

/** @param {string} text @returns {Record<string, Locked> | null} */
function parseLock(text) {
  return text === '' ? null : JSON.parse(text).packages;
}

/** Whether the lockfile was written for the manifests as they are now.
 * @param {Record<string, Locked>} lock */
function isLockCurrent(lock) {
  return ['', ...listWorkspaces()].every((folder) => {
    const manifest = readManifest(folder);
    const kinds = /** @type {const} */ ([
      'dependencies',
      'devDependencies',
      'optionalDependencies',
    ]);
    return kinds.every((kind) =>
      isDeepStrictEqual(manifest[kind] ?? {}, lock[folder]?.[kind] ?? {}),
    );
  });
}

/** @param {Record<string, Locked>} wanted @param {Record<string, Locked>} present */
function isSameTree(wanted, present) {
  const paths = Object.keys(wanted).filter((path) => path.includes('node_modules/'));
  return (
    paths.every((path) => isSamePackage(wanted[path], present[path])) &&
    Object.keys(present).every((path) => path in wanted)
  );
}

/** An optional package may be absent: it may be for another platform.
 * @param {Locked | undefined} wanted @param {Locked | undefined} present */
function isSamePackage(wanted, present) {
  if (present === undefined) return wanted?.optional === true;
  return wanted?.version === present.version && wanted?.integrity === present.integrity;
}

function assertRuntimeWorks() {
  if (isOwnNodeMissing()) {
    throw new SetupError(
      "npm left out the project's Node.js: its download failed, or its checksum is not the one of the lockfile. " +
        'Remove node_modules and start again.',
    );
  }
  const runtime = findRuntime();
  const { status } = spawnSync(runtime, ['--version'], { stdio: 'ignore' });
  if (status === 0) return;
  throw new SetupError(
    `${runtime} does not run on this machine: remove node_modules and start again, ` +
      'or use a machine with glibc 2.28 or newer.',
  );
}
