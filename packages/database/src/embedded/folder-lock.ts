// The lock on a data folder: a session advisory lock in the maintenance database, which a dying process cannot leave behind.
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { DataDirInUseError } from './programs.ts';

export type FolderLock = {
  /** The server is about to end the session: the lock is not taken again. */
  expectEnd(): void;
  /** Resolves when no attempt to take the lock again is pending. */
  settled(): Promise<void>;
  /** Ends the session that holds the lock. */
  release(): Promise<void>;
};

/** "muster" and a number of its own. */
const FOLDER_LOCK = '120343121520018';
const ATTEMPTS = 20;
const PAUSE_MS = 100;

/**
 * Takes the lock or throws `DataDirInUseError` after two seconds, which the session of a killed owner may need to
 * notice. PostgreSQL ends all sessions when one of its processes crashes: the lock is then taken again through
 * `reconnect`, which is asked until it answers a connection.
 */
export async function holdFolder(
  client: pg.Client,
  dataDir: string,
  reconnect: () => Promise<pg.Client | Error>,
): Promise<FolderLock> {
  try {
    for (let attempt = 1; !(await tryLock(client)); attempt++) {
      if (attempt === ATTEMPTS) throw new DataDirInUseError(dataDir);
      await delay(PAUSE_MS);
    }
  } catch (error) {
    await client.end();
    throw error;
  }
  return keepLock(client, reconnect);
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const sql = `SELECT pg_try_advisory_lock(${FOLDER_LOCK}) AS held`;
  const { rows } = await client.query<{ held: boolean }>(sql);
  return rows[0]?.held === true;
}

function keepLock(first: pg.Client, reconnect: () => Promise<pg.Client | Error>): FolderLock {
  let current = first;
  let isWanted = true;
  let retaking = Promise.resolve();
  const watch = (client: pg.Client) => {
    current = client;
    client.once('end', () => {
      retaking = retake();
    });
  };
  const retake = async () => {
    while (isWanted) {
      const client = await reconnect();
      if (!(client instanceof Error)) {
        if (isWanted && (await tryLock(client).catch(() => false))) return watch(client);
        await client.end().catch(() => {});
      }
      await delay(PAUSE_MS, null, { ref: false });
    }
  };
  const expectEnd = () => {
    isWanted = false;
  };
  watch(first);
  return {
    expectEnd,
    settled: () => retaking,
    release: async () => {
      expectEnd();
      await current.end().catch(() => {});
    },
  };
}
