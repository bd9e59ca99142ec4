// Says in Deno's words what package-lock.json says, so that `deno install` brings the same packages as `npm ci`.
//
// Deno reads package-lock.json too when it has no lockfile of its own, but keeps only the versions and asks the registry for the
// rest, and takes the file for corrupt where an entry has no checksum. The format is version 5 of deno.lock, as Deno 2 writes it
// (https://docs.deno.com/runtime/fundamentals/modules/#integrity-checking-and-lock-files).

/**
 * @typedef {{ name?: string, version?: string, resolved?: string, integrity?: string, link?: boolean, dev?: boolean,
 *   license?: string, hasInstallScript?: boolean, bin?: unknown, os?: string | string[], cpu?: string | string[],
 *   optional?: boolean, dependencies?: Record<string, string>, devDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }> }} LockedPackage an entry of package-lock.json
 * @typedef {{ packages: Record<string, LockedPackage> }} Lockfile
 */

/** Whether the entry at this path is a package, not the root or a workspace. @param {string} path */
export const isInstalled = (path) => path.includes('node_modules/');

/** Neither links nor workspaces. @param {Lockfile} lock */
export const listPackages = (lock) =>
  Object.entries(lock.packages).filter(([path, { link }]) => isInstalled(path) && !link);

/** The name that the registry knows a package by. @param {string} path @param {LockedPackage} entry */
export const nameOf = (path, entry) =>
  entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 13);

/**
 * Where npm would find `name` from the package at `from`, walking up as Node does: the workspace for a link; null where it is not locked.
 * @param {Lockfile} lock @param {string} from @param {string} name
 */
export function resolve(lock, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder}${folder && '/'}node_modules/${name}`;
    const entry = lock.packages[path];
    if (entry) return entry.link && entry.resolved ? entry.resolved : path;
    if (folder === '') return null;
  }
}

/**
 * `overrides` are those of package.json, which npm does not repeat in its lockfile. A package without a checksum is one that no registry
 * was asked for (`complete-lockfile.mjs`), and is left out.
 * @param {Lockfile} lock @param {Record<string, string>} [overrides] @returns {object}
 */
export function composeDenoLock(lock, overrides) {
  /** @param {string} from @param {string} name */
  const find = (from, name) => {
    const path = resolve(lock, from, name) ?? '';
    const { integrity, ...entry } = lock.packages[path] ?? {};
    return integrity ? [{ name: nameOf(path, entry), version: entry.version ?? '' }] : [];
  };
  const packages = new Map(
    listPackages(lock)
      .filter(([, { integrity }]) => integrity)
      .map(([path, entry]) => [`${nameOf(path, entry)}@${entry.version}`, { path, entry }]),
  );
  const names = [...packages.keys()].map((id) => id.slice(0, id.lastIndexOf('@')));
  /** With the version where there are several. @param {string} from @param {string[]} wanted */
  const toList = (from, wanted) => {
    const found = [...new Set(wanted)]
      .flatMap((name) => find(from, name))
      .map(({ name, version }) =>
        names.indexOf(name) === names.lastIndexOf(name) ? name : `${name}@${version}`,
      );
    return found.length > 0 ? found.sort() : undefined;
  };
  const npm = [...packages].map(([id, { path, entry }]) => {
    const peers = Object.keys(entry.peerDependencies ?? {});
    /** @param {string} name */
    const isOptional = (name) => entry.peerDependenciesMeta?.[name]?.optional === true;
    const needed = peers.filter((name) => !isOptional(name));
    const described = {
      integrity: entry.integrity,
      dependencies: toList(path, [...Object.keys(entry.dependencies ?? {}), ...needed]),
      optionalDependencies: toList(path, Object.keys(entry.optionalDependencies ?? {})),
      optionalPeers: toList(path, peers.filter(isOptional)),
      os: toArray(entry.os),
      cpu: toArray(entry.cpu),
      scripts: entry.hasInstallScript,
      bin: entry.bin && true,
    };
    return /** @type {const} */ ([id, described]);
  });
  /** @type {Record<string, string>} */
  const specifiers = {};
  /** @type {Record<string, { packageJson: object }>} */
  const workspaces = {};
  for (const [path, { dependencies, devDependencies }] of Object.entries(lock.packages)) {
    const wanted = Object.entries({ ...dependencies, ...devDependencies });
    if (isInstalled(path) || wanted.length === 0) continue;
    for (const [name, range] of wanted) {
      for (const { version } of find(path, name)) specifiers[`npm:${name}@${range}`] = version;
    }
    const list = wanted.map(([name, range]) => `npm:${name}@${range}`).sort();
    workspaces[path] = { packageJson: { dependencies: list } };
  }
  const { '': root, ...members } = workspaces;
  return {
    version: '5',
    specifiers: sorted(specifiers),
    npm: sorted(Object.fromEntries(npm)),
    workspace: { packageJson: { ...root?.packageJson, overrides }, members: sorted(members) },
  };
}

/** A manifest may name one platform without a list; Deno reads lists only. @param {string | string[] | undefined} names */
const toArray = (names) => (typeof names === 'string' ? [names] : names);

/** @template Value @param {Record<string, Value>} record */
const sorted = (record) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
