// The lockfiles must install on every platform, whichever registry they were written from.
import {
  composeDenoLockFile,
  findGaps,
  LOCKFILES,
  readDenoLockFile,
  readLockfile,
} from '../complete-lockfile.mjs';

export function checkLockfiles() {
  const problems = LOCKFILES.flatMap((file) => {
    const lock = readLockfile(file);
    return [...listGaps(lock), ...listRegistries(lock)].map((problem) => `${file}${problem}`);
  });
  return readDenoLockFile() === composeDenoLockFile() ? problems : [...problems, STALE_DENO_LOCK];
}

const STALE_DENO_LOCK =
  'deno.lock is not what package-lock.json says: run "node scripts/complete-lockfile.mjs".';

/** @param {import('../complete-lockfile.mjs').Lockfile} lock */
function listGaps(lock) {
  return findGaps(lock).map(
    ({ path }) => ` lacks ${path}: run "node scripts/complete-lockfile.mjs".`,
  );
}

/** An address would tie every installation to the registry of the one who added the package.
 * @param {import('../complete-lockfile.mjs').Lockfile} lock */
function listRegistries(lock) {
  return Object.entries(lock.packages)
    .filter(([, { resolved }]) => resolved?.startsWith('http'))
    .map(([path]) => `: ${path} names a registry's address ("resolved").`);
}
