// Says in Deno's words what package-lock.json says, so that `deno install` brings the same packages as `npm ci`.
//
// Deno reads package-lock.json too when it has no lockfile of its own, but keeps only the versions and asks the registry for the
// rest, and takes the file for corrupt where an entry has no checksum. The format is version 5 of deno.lock, as Deno 2 writes it
// (https://docs.deno.com/runtime/fundamentals/modules/#integrity-checking-and-lock-files).

/**
 * @typedef {import('../complete-lockfile.mjs').Lockfile} Lockfile
 * @typedef {import('../complete-lockfile.mjs').LockedPackage} LockedPackage
 * @typedef {{ name: string, version: string }} Target
 */

/** A package without a checksum is one that no registry was asked for; see `complete-lockfile.mjs`. @param {LockedPackage} entry */
const isInstallable = (entry) => entry.integrity !== undefined && !entry.link;

/** Whether the entry at this path is a package, not the root or a workspace. @param {string} path */
export const isInstalled = (path) => path.includes('node_modules/');

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
 * `overrides` are those of package.json, which npm does not repeat in its lockfile.
 * @param {Lockfile} lock @param {Record<string, string>} [overrides] @returns {object}
 */
export function composeDenoLock(lock, overrides) {
  const entries = Object.entries(lock.packages);
  const installable = entries.filter(([path, entry]) => isInstalled(path) && isInstallable(entry));
  const versions = countVersions(installable);
  /** @type {Record<string, object>} */
  const npm = {};
  for (const [path, entry] of installable) {
    npm[`${nameOf(path, entry)}@${entry.version}`] ??= describePackage(lock, path, entry, versions);
  }
  const members = entries.filter(([path]) => !isInstalled(path));
  const specifiers = members.flatMap(([path, entry]) => listSpecifiers(lock, path, entry));
  return {
    version: '5',
    specifiers: sorted(Object.fromEntries(specifiers)),
    npm: sorted(npm),
    workspace: describeWorkspace(members, overrides),
  };
}

/** @param {[string, LockedPackage][]} entries @returns {Map<string, Set<string | undefined>>} */
function countVersions(entries) {
  const versions = new Map();
  for (const [path, entry] of entries) {
    const name = nameOf(path, entry);
    versions.set(name, (versions.get(name) ?? new Set()).add(entry.version));
  }
  return versions;
}

/** @param {Lockfile} lock @param {string} path @param {LockedPackage} entry @param {Map<string, Set<string | undefined>>} versions */
function describePackage(lock, path, entry, versions) {
  const peers = Object.keys(entry.peerDependencies ?? {});
  /** @param {string} name */
  const isOptional = (name) => entry.peerDependenciesMeta?.[name]?.optional === true;
  /** @param {string[]} names */
  const toList = (names) =>
    [...new Set(names)]
      .flatMap((name) => findTarget(lock, path, name) ?? [])
      .map(({ name, version }) => (versions.get(name)?.size === 1 ? name : `${name}@${version}`))
      .sort();
  return withoutEmpty({
    integrity: entry.integrity,
    dependencies: toList([
      ...Object.keys(entry.dependencies ?? {}),
      ...peers.filter((name) => !isOptional(name)),
    ]),
    optionalDependencies: toList(Object.keys(entry.optionalDependencies ?? {})),
    optionalPeers: toList(peers.filter(isOptional)),
    os: toArray(entry.os),
    cpu: toArray(entry.cpu),
    scripts: entry.hasInstallScript,
    bin: entry.bin && true,
  });
}

/** A manifest may name one platform without a list; Deno reads lists only. @param {string | string[] | undefined} names */
const toArray = (names) => (typeof names === 'string' ? [names] : names);

/** @param {Lockfile} lock @param {string} from @param {string} name @returns {Target | null} */
function findTarget(lock, from, name) {
  const path = resolve(lock, from, name);
  const entry = path === null ? undefined : lock.packages[path];
  if (!path || !entry?.version || !isInstallable(entry)) return null;
  return { name: nameOf(path, entry), version: entry.version };
}

/** @param {Lockfile} lock @param {string} path @param {LockedPackage} entry @returns {[string, string][]} */
function listSpecifiers(lock, path, entry) {
  return listDependencies(entry).flatMap(([name, range]) => {
    const target = findTarget(lock, path, name);
    return target ? [[`npm:${name}@${range}`, target.version]] : [];
  });
}

/** @param {[string, LockedPackage][]} members @param {Record<string, string>} [overrides] */
function describeWorkspace(members, overrides) {
  const described = members.map(([path, entry]) => {
    const dependencies = listDependencies(entry).map(([name, range]) => `npm:${name}@${range}`);
    return /** @type {const} */ ([path, { packageJson: { dependencies: dependencies.sort() } }]);
  });
  const { '': root, ...rest } = Object.fromEntries(described);
  const withDependencies = Object.entries(rest).filter(
    ([, { packageJson }]) => packageJson.dependencies.length > 0,
  );
  const packageJson = overrides ? { ...root?.packageJson, overrides } : root?.packageJson;
  return { packageJson, members: sorted(Object.fromEntries(withDependencies)) };
}

/** @param {LockedPackage} entry */
const listDependencies = ({ dependencies = {}, devDependencies = {} }) =>
  Object.entries({ ...dependencies, ...devDependencies });

/** @template Value @param {Record<string, Value>} record */
const sorted = (record) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/** @param {Record<string, unknown>} record */
const withoutEmpty = (record) =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
