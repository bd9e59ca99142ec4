#!/usr/bin/env node
// Completes the lockfiles with the platform packages that the registry in use does not serve, and writes deno.lock anew.
// Run it after every install of a new package; `npm run check:static` fails when it was forgotten.
//
// npm drops an optional dependency that its registry cannot find (a mirror may hold the packages of
// one operating system only), and `npm ci` then refuses the lockfile on every machine. The entries
// added here name the exact version and platform, with the checksum that the registry's metadata gives.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { composeDenoLock, nameOf } from './deno-lock/compose-deno-lock.mjs';

/** Relative to the root: those whose entries for other platforms this program adds. */
export const LOCKFILES = ['package-lock.json', 'scripts/runtimes/versions/package-lock.json'];

const OPERATING_SYSTEMS = new Map([
  ['windows', 'win32'],
  ...['darwin', 'win32', 'linux', 'android', 'freebsd', 'openharmony'].map(same),
]);
const PROCESSORS = new Map([
  ['64', 'x64'],
  ...['x64', 'arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'wasm32'].map(same),
]);

/** @param {string} word @returns {[string, string]} */
function same(word) {
  return [word, word];
}

/**
 * @typedef {{ name?: string, version?: string, resolved?: string, integrity?: string, link?: boolean, dev?: boolean,
 *   license?: string, hasInstallScript?: boolean, bin?: unknown, os?: string[], cpu?: string[],
 *   dependencies?: Record<string, string>, devDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }> }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lockfile
 * @typedef {{ path: string, version: string, dependent: LockedPackage }} Gap
 */

/**
 * Whether npm would find `name` from the package installed at `from`, walking up as Node does.
 * @param {Lockfile} lock @param {string} from @param {string} name
 */
function isLocked(lock, from, name) {
  for (
    let place = from;
    ;
    place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/')))
  ) {
    const folder = place.replace(/\/$/, '');
    if (`${folder ? `${folder}/` : ''}node_modules/${name}` in lock.packages) return true;
    if (folder === '') return false;
  }
}

/** @param {Lockfile} lock @returns {Gap[]} */
export function findGaps(lock) {
  return Object.entries(lock.packages).flatMap(([path, dependent]) =>
    Object.entries(dependent.optionalDependencies ?? {})
      .filter(([name]) => !isLocked(lock, path, name))
      .map(([name, version]) => ({ path: `node_modules/${name}`, version, dependent })),
  );
}

/** @param {Gap} gap */
function describeEntry({ path, version, dependent }) {
  const words = path.slice(path.lastIndexOf('/') + 1).split('-');
  const os = words.flatMap((word) => OPERATING_SYSTEMS.get(word) ?? []);
  const cpu = words.flatMap((word) => PROCESSORS.get(word) ?? []);
  if (os.length === 0 && cpu.length === 0) throw new Error(`${path} names no platform.`);
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(dependent.dev && { dev: true }),
    ...(dependent.license && { license: dependent.license }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}

/** @param {string} file */
const pathOf = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** @param {string} file @returns {Lockfile} */
export function readLockfile(file) {
  return JSON.parse(readFileSync(pathOf(file), 'utf8'));
}

/** Entries of packages that lack a checksum; links and workspaces have none. @param {Lockfile} lock @returns {[string, LockedPackage][]} */
export function findUnverified(lock) {
  return Object.entries(lock.packages).filter(
    ([path, { integrity, link }]) => path.includes('node_modules/') && !link && !integrity,
  );
}

/** Undefined where the registry does not serve the package. @param {string} path @param {LockedPackage} entry */
async function findIntegrity(path, entry) {
  const wanted = `${nameOf(path, entry)}@${entry.version}`;
  const { stdout } = await promisify(execFile)('npm', ['view', wanted, 'dist.integrity']).catch(
    () => ({ stdout: '' }),
  );
  return stdout.trim() || undefined;
}

/** @param {string} file */
async function completeLockfile(file) {
  const lock = readLockfile(file);
  const gaps = findGaps(lock);
  for (const gap of gaps) lock.packages[gap.path] = describeEntry(gap);
  for (const [path, entry] of findUnverified(lock)) {
    const integrity = await findIntegrity(path, entry);
    const { version, ...rest } = entry;
    if (integrity) lock.packages[path] = { ...(version && { version }), integrity, ...rest };
    else console.log(`The registry does not serve ${nameOf(path, entry)}@${version}.`);
  }
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  const completed = { ...lock, packages: Object.fromEntries(sorted) };
  writeFileSync(pathOf(file), `${JSON.stringify(completed, null, 2)}\n`);
  return gaps.length;
}

/** What deno.lock has to be, as text. */
export function composeDenoLockFile() {
  return `${JSON.stringify(composeDenoLock(readLockfile('package-lock.json')), null, 2)}\n`;
}

export function readDenoLockFile() {
  return readFileSync(pathOf('deno.lock'), 'utf8');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const file of LOCKFILES) {
    console.log(`Added ${await completeLockfile(file)} platform packages to ${file}.`);
  }
  writeFileSync(pathOf('deno.lock'), composeDenoLockFile());
}
