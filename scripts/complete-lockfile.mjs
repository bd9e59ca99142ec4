#!/usr/bin/env node
// Completes the lockfiles after an install of a new package, and writes deno.lock. `npm run check:static` fails when it was forgotten.
//
// - npm drops an optional dependency that its registry does not serve, such as a package for another system on a mirror, and `npm ci` then
//   refuses the lockfile. Their entries are added with version, platform and, where the registry has it, the checksum.
// - Each package gets its address on npm's public registry, which npm replaces with the configured one. Without it, npm asks for the
//   description of each of 300 packages, a third of the time of an installation. (npm 11.3 to 11.5 lose the path of a registry, and Bun
//   uses the address as it is.)
// - Peers that only development needs are removed: optional ones and types. `npm ci --omit=dev` would install a test runner for a
//   package that has an adapter for it.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { composeDenoLock, isInstalled, nameOf, resolve } from './deno-lock/compose-deno-lock.mjs';

/** Relative to the root: those whose entries for other platforms this program adds. */
export const LOCKFILES = ['package-lock.json', 'scripts/runtimes/versions/package-lock.json'];

const SYSTEMS = ['darwin', 'win32', 'linux', 'android', 'freebsd', 'openharmony'];
const PROCESSORS = [
  'x64',
  'arm64',
  'arm',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'wasm32',
];
/** Words for platforms in the names of packages, and the names that Node.js uses. */
const ALIASES = new Map([
  ['windows', 'win32'],
  ['64', 'x64'],
]);

/**
 * @typedef {{ name?: string, version?: string, resolved?: string, integrity?: string, link?: boolean, dev?: boolean,
 *   license?: string, hasInstallScript?: boolean, bin?: unknown, os?: string | string[], cpu?: string | string[],
 *   dependencies?: Record<string, string>, devDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }> }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lockfile
 * @typedef {{ path: string, version: string, dependent: LockedPackage }} Gap
 */

/** @param {Lockfile} lock @returns {Gap[]} */
export function findGaps(lock) {
  return Object.entries(lock.packages).flatMap(([path, dependent]) =>
    Object.entries(dependent.optionalDependencies ?? {})
      .filter(([name]) => resolve(lock, path, name) === null)
      .map(([name, version]) => ({ path: `node_modules/${name}`, version, dependent })),
  );
}

/** @param {Gap} gap */
function describeEntry({ path, version, dependent }) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const words = name.split('-').map((word) => ALIASES.get(word) ?? word);
  const os = words.filter((word) => SYSTEMS.includes(word));
  const cpu = words.filter((word) => PROCESSORS.includes(word));
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

/** The paths of the workspaces, and of all that they run with. @param {Lockfile} lock */
function findNeeded(lock) {
  const needed = new Set(Object.keys(lock.packages).filter((path) => !isInstalled(path)));
  for (const path of needed) {
    const entry = lock.packages[path] ?? {};
    const peers = Object.keys(entry.peerDependencies ?? {});
    const names = [
      ...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }),
      ...peers.filter((name) => !isDispensable(entry, name)),
    ];
    for (const name of names) needed.add(resolve(lock, path, name) ?? path);
  }
  return needed;
}

/** Whether a package runs without this peer of it. @param {LockedPackage} entry @param {string} name */
const isDispensable = (entry, name) =>
  entry.peerDependenciesMeta?.[name]?.optional === true ||
  name === 'typescript' ||
  name.startsWith('@types/');

/**
 * The peers that only development needs, each with the path of the package that names it.
 * @param {Lockfile} lock @returns {{ path: string, name: string }[]}
 */
export function findDevelopmentPeers(lock) {
  const needed = findNeeded(lock);
  return Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.keys(entry.peerDependencies ?? {})
      .filter((name) => needed.has(path) && isDispensable(entry, name))
      .filter((name) => !needed.has(resolve(lock, path, name) ?? path))
      .map((name) => ({ path, name })),
  );
}

/** @param {string} file */
const pathOf = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** @param {string} file @returns {Lockfile} */
export function readLockfile(file) {
  return JSON.parse(readFileSync(pathOf(file), 'utf8'));
}

/** Entries of packages that lack a checksum; links and workspaces have none. @param {Lockfile} lock @returns {[string, LockedPackage][]} */
function findUnverified(lock) {
  return Object.entries(lock.packages).filter(
    ([path, { integrity, link }]) => isInstalled(path) && !link && !integrity,
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

/**
 * Entries without an address, or with another one. An entry without a checksum must have none, since nothing would verify the package.
 * @param {Lockfile} lock @returns {{ path: string, entry: LockedPackage, address: string | undefined }[]}
 */
export function findMisplaced(lock) {
  return Object.entries(lock.packages)
    .filter(([path, { link }]) => isInstalled(path) && !link)
    .map(([path, entry]) => ({ path, entry, address: addressOf(nameOf(path, entry), entry) }))
    .filter(({ entry, address }) => entry.resolved !== address);
}

/** @param {string} name @param {LockedPackage} entry */
const addressOf = (name, { version, integrity }) =>
  integrity &&
  `https://registry.npmjs.org/${name}/-/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`;

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
  for (const { path, entry, address } of findMisplaced(lock)) {
    const { version, resolved: _, ...rest } = entry;
    const place = address && { resolved: address };
    lock.packages[path] = { ...(version && { version }), ...place, ...rest };
  }
  for (const { path, name } of findDevelopmentPeers(lock)) {
    delete lock.packages[path]?.peerDependencies?.[name];
    delete lock.packages[path]?.peerDependenciesMeta?.[name];
  }
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  const completed = { ...lock, packages: Object.fromEntries(sorted) };
  writeFileSync(pathOf(file), `${JSON.stringify(completed, null, 2)}\n`);
  return gaps.length;
}

/** The text that deno.lock must have. */
export function composeDenoLockFile() {
  const { overrides } = JSON.parse(readFileSync(pathOf('package.json'), 'utf8'));
  return `${JSON.stringify(composeDenoLock(readLockfile('package-lock.json'), overrides), null, 2)}\n`;
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
