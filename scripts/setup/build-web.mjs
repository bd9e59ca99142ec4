// Builds apps/web automatically when its sources have changed since the last build.
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from '../run/run-program.mjs';
import { fingerprint, readIfPresent } from './fingerprint.mjs';
import { ROOT } from './repository.mjs';
import { findRuntimeCommand, projectEnvironment } from './runtime.mjs';
import { withSetupLock } from './set-up.mjs';

const WEB = join(ROOT, 'apps/web');
const DIST = join(WEB, 'dist');
/** A build is made beside the one in use and then takes its place, so that none is ever half there. */
const NEXT = join(WEB, '.next-dist');

/** The digest of the sources lies in the build, and comes and goes with it. */
const STAMP = 'sources.stamp';

const FILES = [
  'apps/web/index.html',
  'apps/web/package.json',
  'apps/web/tsr.config.json',
  'apps/web/vite.config.ts',
  'package-lock.json',
];
/** Everything that ends up in the page. */
const FOLDERS = [
  'apps/web/src',
  'packages/client/src',
  'packages/contract/src',
  'packages/licenses/src',
  'packages/record-diff/src',
];

/** Returns once apps/web/dist is what the sources say; throws a SetupError when it cannot be built. */
export async function buildWeb() {
  if (isBuilt()) return;
  await withSetupLock(async () => {
    if (!isBuilt()) await build();
  });
}

/** Whether there is a build, be it of older sources. */
export function hasWebBuild() {
  return existsSync(DIST);
}

function isBuilt() {
  return readIfPresent(join(DIST, STAMP)) === sourceFingerprint();
}

function sourceFingerprint() {
  return fingerprint([...FILES, ...FOLDERS.flatMap(listFiles)]);
}

/** @param {string} folder relative to the root @returns {string[]} sorted; tests are no part of the page */
function listFiles(folder) {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .sort();
}

async function build() {
  const digest = sourceFingerprint();
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const { command, args } = findRuntimeCommand();
  const build = [vite, 'build', '--outDir', NEXT, '--emptyOutDir', '--logLevel', 'warn'];
  // Inherited from a test run or a person's shell, another NODE_ENV would build React's slow half.
  const env = { ...projectEnvironment(), NODE_ENV: 'production' };
  await runQuietly('Building the web app', { command, args: [...args, ...build], cwd: WEB, env });
  writeFileSync(join(NEXT, STAMP), digest);
  rmSync(DIST, { recursive: true, force: true });
  renameSync(NEXT, DIST);
}
