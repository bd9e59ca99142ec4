#!/usr/bin/env node
// Completes the lockfiles after an install of a new package, and writes deno.lock. `npm run check:static` fails when it was forgotten.
//
// - npm drops an optional dependency that its registry does not serve, such as a package for another system on a mirror, and `npm ci` then
//   refuses the lockfile. Their entries are added with version, platform and, where the registry has it, the checksum.
// - Each package with a checksum gets its address on npm's public registry, which npm replaces with the configured one. Without it, npm
//   asks for the description of each of 300 packages, a third of the time of an installation. (npm 11.3 to 11.5 lose the path of a
//   registry, and Bun uses the address as it is.)
// - Peers that only development needs are removed: optional ones and types. `npm ci --omit=dev` would install a test runner for a
//   package that has an adapter for it.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  composeDenoLock,
  isInstalled,
  listPackages,
  nameOf,
  resolve,
} from './deno-lock/compose-deno-lock.mjs';
import { ROOT } from './setup/repository.mjs';

/** @typedef {import('./deno-lock/compose-deno-lock.mjs').Lockfile} Lockfile */
/** @typedef {import('./deno-lock/compose-deno-lock.mjs').LockedPackage} LockedPackage */

/** Relative to the root. */
const LOCKFILES = ['package-lock.json', 'scripts/runtimes/versions/package-lock.json'];

/** @param {string} file */
const read = (file) => readFileSync(join(ROOT, file), 'utf8');

/** @param {string} file @param {object} lock */
const write = (file, lock) => writeFileSync(join(ROOT, file), toText(lock));

/** @param {object} lock */
const toText = (lock) => `${JSON.stringify(lock, null, 2)}\n`;

/** The lockfiles that this program would change. */
export const findIncompleteLockfiles = () =>
  composeLockfiles()
    .filter(([file, lock]) => read(file) !== toText(lock))
    .map(([file]) => file);

/** @returns {[file: string, lock: object][]} */
function composeLockfiles() {
  const locks = LOCKFILES.map((file) => completeLockfile(JSON.parse(read(file))));
  const { overrides } = JSON.parse(read('package.json'));
  const denoLock = composeDenoLock(/** @type {Lockfile} */ (locks[0]), overrides);
  return [...LOCKFILES, 'deno.lock'].map((file, index) => [file, locks[index] ?? denoLock]);
}

/** Also changes the lockfile that it gets. @param {Lockfile} lock */
export function completeLockfile(lock) {
  addPlatformPackages(lock);
  for (const [path, entry] of listPackages(lock)) {
    const name = nameOf(path, entry);
    const file = `${name.slice(name.indexOf('/') + 1)}-${entry.version}.tgz`;
    if (entry.integrity) entry.resolved = `https://registry.npmjs.org/${name}/-/${file}`;
    // Nothing would verify the package.
    else delete entry.resolved;
  }
  removeDevelopmentPeers(lock);
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

const SYSTEMS = ['darwin', 'win32', 'linux', 'android', 'freebsd', 'openharmony'];
const PROCESSORS = 'x64 arm64 arm ia32 ppc64 riscv64 s390x loong64 wasm32'.split(' ');

/** @param {Lockfile} lock */
function addPlatformPackages(lock) {
  for (const [path, { optionalDependencies = {}, dev, license }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (resolve(lock, path, name) !== null) continue;
      const words = name.replace('windows', 'win32').replace(/-64$/, '-x64').split(/[/-]/);
      const os = words.filter((word) => SYSTEMS.includes(word));
      const cpu = words.filter((word) => PROCESSORS.includes(word));
      if (os.length + cpu.length === 0) throw new Error(`${name} names no platform.`);
      lock.packages[`node_modules/${name}`] = {
        version,
        ...(cpu.length > 0 && { cpu }),
        ...(dev && { dev }),
        ...(license && { license }),
        optional: true,
        ...(os.length > 0 && { os }),
      };
    }
  }
}

/** @param {Lockfile} lock */
function removeDevelopmentPeers(lock) {
  const needed = findNeeded(lock);
  for (const path of needed) {
    const entry = lock.packages[path] ?? {};
    for (const name of Object.keys(entry.peerDependencies ?? {})) {
      if (!isDispensable(entry, name) || needed.has(resolve(lock, path, name) ?? path)) continue;
      delete entry.peerDependencies?.[name];
      delete entry.peerDependenciesMeta?.[name];
    }
  }
}

/** The paths of the workspaces, and of all that they run with. @param {Lockfile} lock */
function findNeeded(lock) {
  const needed = new Set(Object.keys(lock.packages).filter((path) => !isInstalled(path)));
  for (const path of needed) {
    const entry = lock.packages[path] ?? {};
    const { dependencies, optionalDependencies, peerDependencies = {} } = entry;
    const peers = Object.keys(peerDependencies).filter((name) => !isDispensable(entry, name));
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      needed.add(resolve(lock, path, name) ?? path);
    }
  }
  return needed;
}

/** Whether a package runs without this peer of it. @param {LockedPackage} entry @param {string} name */
const isDispensable = (entry, name) =>
  entry.peerDependenciesMeta?.[name]?.optional === true ||
  name === 'typescript' ||
  name.startsWith('@types/');

/** Asks the registry, which may not serve a package. @param {Lockfile} lock */
function addChecksums(lock) {
  for (const [path, entry] of listPackages(lock).filter(([, { integrity }]) => !integrity)) {
    const wanted = `${nameOf(path, entry)}@${entry.version}`;
    const { stdout } = spawnSync('npm', ['view', wanted, 'dist.integrity'], { encoding: 'utf8' });
    const sum = stdout?.trim();
    if (sum) entry.integrity = sum;
    else console.log(`The registry does not serve ${wanted}.`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const file of LOCKFILES) {
    const lock = completeLockfile(JSON.parse(read(file)));
    addChecksums(lock);
    write(file, lock);
  }
  for (const [file, lock] of composeLockfiles()) write(file, lock);
}
