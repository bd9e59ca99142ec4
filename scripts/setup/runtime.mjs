// Finds what runs the project: the Node.js that the repository brings along, by its real path, or Bun or Deno where they started it.
import { existsSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { ROOT, SetupError } from './repository.mjs';

const BIN_FOLDER = join(ROOT, 'node_modules', '.bin');
const IS_WINDOWS = process.platform === 'win32';
/** One of the optional dependencies of the workspace `scripts`, where these know the platform. */
export const OWN_PACKAGE = `node-${IS_WINDOWS ? 'win' : process.platform}-${process.arch}`;
export const OWN_NODE_FOLDER = join(ROOT, 'node_modules', OWN_PACKAGE);
export const OWN_NODE = join(OWN_NODE_FOLDER, 'bin', IS_WINDOWS ? 'node.exe' : 'node');
const OLDEST_NODE = { major: 22, minor: 18 };

function isMachineNodeEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor);
}

/** The path of the Node.js binary to run TypeScript with. */
export function findRuntime() {
  if (existsSync(OWN_NODE)) return OWN_NODE;
  if (isMachineNodeEnough()) return process.execPath;
  throw new SetupError(
    `There is no ${OWN_NODE}, and this machine's Node.js ${process.versions.node} is older than ` +
      `${OLDEST_NODE.major}.${OLDEST_NODE.minor}: install a newer one.`,
  );
}

/** A program that runs a TypeScript file, and the arguments in front of the file. */
export function findRuntimeCommand() {
  return findOwnRuntime() ?? { command: findRuntime(), args: [] };
}

/** The environment for the project's programs: its own tools first, no telemetry. */
export function projectEnvironment() {
  return {
    ...process.env,
    PATH: [BIN_FOLDER, withoutBinFolders()].join(delimiter),
    DO_NOT_TRACK: '1',
    TURBO_TELEMETRY_DISABLED: '1',
    CHECKPOINT_DISABLE: '1',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? COMPILED,
  };
}

/**
 * The compile cache of Node.js: JavaScript without types, compiled. It makes the next start a third shorter, and its process
 * smaller, since Node.js does not load the compiler that removes types.
 */
const COMPILED = join(ROOT, 'node_modules/.cache/compiled');

/** The environment for npm: the machine's own tools, since npm may be replacing ours. */
export function machineEnvironment() {
  return { ...process.env, PATH: withoutBinFolders() };
}

function withoutBinFolders() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.filter((folder) => !folder.startsWith(`${ROOT}${sep}`)).join(delimiter);
}

// Which package manager and runtime a person uses: Bun and Deno run the project on themselves, everything else on Node.js.

/** @typedef {'npm' | 'bun' | 'deno'} PackageManager */

/**
 * Derived from the runtime of this script and from the program that started it: the scripts of package.json name Node.js, which
 * `bun run` uses where it is installed.
 * @returns {PackageManager}
 */
export function findPackageManager() {
  if (process.versions.deno) return 'deno';
  const isBun = process.versions.bun ?? process.env.npm_config_user_agent?.startsWith('bun/');
  return isBun ? 'bun' : 'npm';
}

/**
 * The runtime that is a package manager too, as a program that runs a file; null for npm.
 * @returns {{ command: string, args: string[] } | null}
 */
export function findOwnRuntime() {
  switch (findPackageManager()) {
    case 'deno':
      return { command: process.execPath, args: ['run', '--allow-all', '--quiet'] };
    case 'bun':
      // `bun run` says where Bun is.
      return {
        command: process.versions.bun ? process.execPath : (process.env.npm_execpath ?? 'bun'),
        args: [],
      };
    default:
      return null;
  }
}
