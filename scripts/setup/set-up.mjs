// Brings the repository into a state in which everything runs; does nothing when it already is.

import { existsSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { generateClient, isClientCurrent, isClientGenerated } from './generate-client.mjs';
import { installDependencies, isInstalled } from './install-dependencies.mjs';
import { ROOT, report } from './repository.mjs';

/**
 * Throws a SetupError, whose message is for the person at the terminal.
 * @param {import('./install-dependencies.mjs').Scope} [scope]
 */
export async function setUp(scope = 'development') {
  // A changed model needs the generator.
  const needed = isClientCurrent() ? scope : 'development';
  const isClientReady = needed === 'runtime' ? isClientCurrent : isClientGenerated;
  if (isInstalled(needed) && isClientReady()) return;
  await withSetupLock(async () => {
    await installDependencies(needed);
    if (!isClientReady()) await generateClient();
  });
}

// Lets one terminal set up at a time; the others wait and then find the work done.

const LOCK = join(ROOT, '.setup.lock');
const HEARTBEAT_MS = 1000;
/** A holder that was killed stops touching its lock; after this time the lock is free again. */
const ABANDONED_AFTER_MS = 8000;

/** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
export async function withSetupLock(work) {
  await takeLock();
  const heartbeat = setInterval(() => {
    const now = new Date();
    if (existsSync(LOCK)) utimesSync(LOCK, now, now);
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    rmSync(LOCK, { force: true });
  }
}

async function takeLock() {
  for (let attempt = 0; !createFile(LOCK); attempt += 1) {
    if (attempt === 0) report('Another terminal is setting up this repository; waiting for it …');
    // Freeing is done under a lock of its own: of two waiters, the slower one would otherwise
    // remove the lock that the faster one has just taken.
    if (isAbandoned(LOCK) && createFile(`${LOCK}.free`)) {
      if (isAbandoned(LOCK)) rmSync(LOCK, { force: true });
      rmSync(`${LOCK}.free`, { force: true });
    }
    if (isAbandoned(`${LOCK}.free`)) rmSync(`${LOCK}.free`, { force: true });
    await wait(200);
  }
}

/** @param {string} path @returns {boolean} whether this process created it */
function createFile(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} path */
function isAbandoned(path) {
  const touchedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return touchedAt !== undefined && Date.now() - touchedAt > ABANDONED_AFTER_MS;
}
