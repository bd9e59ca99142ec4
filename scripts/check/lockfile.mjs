// The lockfile must install on every platform, whichever registry it was written from.
import { findGaps, readLockfile } from '../complete-lockfile.mjs';

export function checkLockfile() {
  const lock = readLockfile();
  return [...listGaps(lock), ...listRegistries(lock)];
}

/** @param {import('../complete-lockfile.mjs').Lockfile} lock */
function listGaps(lock) {
  return findGaps(lock).map(
    ({ path }) => `package-lock.json lacks ${path}: run "node scripts/complete-lockfile.mjs".`,
  );
}

/** An address would tie every installation to the registry of the one who added the package.
 * @param {import('../complete-lockfile.mjs').Lockfile} lock */
function listRegistries(lock) {
  return Object.entries(lock.packages)
    .filter(([, { resolved }]) => resolved?.startsWith('http'))
    .map(([path]) => `package-lock.json: ${path} names a registry's address ("resolved").`);
}
