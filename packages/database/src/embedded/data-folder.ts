// The layout of DATA_DIR/postgres, and how it comes into being: complete, or not at all.
import { randomBytes } from 'node:crypto';
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Binaries, ServerUser } from './programs.ts';
import {
  assertReachable,
  EmbeddedPostgresError,
  handOver,
  handOverOne,
  runProgram,
} from './programs.ts';

export const SUPERUSER = 'muster';
export const CLUSTER_NAME = 'cluster';
export const LOG_NAME = 'server.log';

export type DataFolder = {
  /** Absolute DATA_DIR. */
  dataDir: string;
  /** DATA_DIR/postgres: appears by one rename when everything in it is complete. */
  root: string;
  cluster: string;
  passwordFile: string;
  logFile: string;
};

export function locateDataFolder(dataDir: string): DataFolder {
  const absolute = resolve(dataDir);
  return { dataDir: absolute, ...layoutOf(join(absolute, 'postgres')) };
}

function layoutOf(root: string): Omit<DataFolder, 'dataDir'> {
  return {
    root,
    cluster: join(root, CLUSTER_NAME),
    passwordFile: join(root, 'password'),
    logFile: join(root, LOG_NAME),
  };
}

/**
 * Makes DATA_DIR, which other users cannot look into. Root leaves each folder that it makes open for passing through, whatever its
 * umask: PostgreSQL then runs as another user.
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  const absolute = resolve(dataDir);
  const first = await makeFolders(absolute, isRoot ? 0o711 : 0o700);
  if (!isRoot || first === undefined) return;
  for (let made = absolute; made !== dirname(first); made = dirname(made)) await chmod(made, 0o711);
}

/**
 * Makes a folder with its missing parents, and returns the topmost new one. `mkdir` with `recursive` never returns where a parent cannot be
 * made although its own parent exists, as under /proc.
 */
export async function makeFolders(path: string, mode: number): Promise<string | undefined> {
  const made = await makeFolder(path, mode).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || path === dirname(path)) throw error;
    return null;
  });
  if (made !== null) return made ? path : undefined;
  const first = await makeFolders(dirname(path), mode);
  const isNew = await makeFolder(path, mode);
  return first ?? (isNew ? path : undefined);
}

/** False where it exists. */
const makeFolder = (path: string, mode: number): Promise<boolean> =>
  mkdir(path, { mode }).then(
    () => true,
    async (error: unknown) => {
      if ((await stat(path).catch(() => null))?.isDirectory()) return false;
      throw error;
    },
  );

/** A new folder, under a name that begins so: root runs PostgreSQL as another user, who has to pass through. */
export async function makePassableFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(prefix);
  await chmod(folder, 0o711);
  return folder;
}

export async function isInitialised(folder: DataFolder): Promise<boolean> {
  return (await stat(folder.root).catch(() => null)) !== null;
}

/**
 * Makes a new cluster in a sibling folder and renames that to the final name. A killed attempt leaves only an unused
 * sibling. Of two concurrent attempts, one rename succeeds and the other attempt uses that cluster.
 */
export async function initialise(
  folder: DataFolder,
  binaries: Binaries,
  user: ServerUser | null,
): Promise<void> {
  const draft = layoutOf(await mkdtemp(`${folder.root}.new-`));
  try {
    await fillDraft(draft, binaries, user);
    await rename(draft.root, folder.root);
    await flushFolder(folder.dataDir);
  } catch (error) {
    await rm(draft.root, { recursive: true, force: true });
    if (!(await isInitialised(folder))) throw error;
  }
}

async function fillDraft(
  draft: Omit<DataFolder, 'dataDir'>,
  binaries: Binaries,
  user: ServerUser | null,
): Promise<void> {
  await writeFile(draft.passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  await handOverOne(user, draft.passwordFile);
  await handOverOne(user, draft.root);
  await assertReachable(user, draft.cluster);
  const attempts: string[] = [];
  for (const locale of ['C.UTF-8', 'C']) {
    const { exitCode, output } = await runInitdb(draft, binaries, user, locale);
    if (exitCode === 0) return;
    attempts.push(output);
    await rm(draft.cluster, { recursive: true, force: true });
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL cannot set up its data folder: ${attempts.join('; ')}`,
  );
}

function runInitdb(
  draft: Omit<DataFolder, 'dataDir'>,
  binaries: Binaries,
  user: ServerUser | null,
  locale: string,
) {
  const args = [
    `--pgdata=${draft.cluster}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${draft.passwordFile}`,
    '--encoding=UTF8',
    // PostgreSQL's own C.UTF-8 orders by code point, as the one of the system does, but compares bytes: no system function is asked.
    ...(binaries.majorVersion < 17
      ? []
      : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']),
    `--locale=${locale}`,
    '--auth-host=scram-sha-256',
    '--auth-local=scram-sha-256',
    '--no-instructions',
  ];
  return runProgram(binaries.initdb, args, { user });
}

/** Makes a rename in it survive a power cut; not every system can open a folder for this, and none needs to. */
export async function flushFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/**
 * Removes what killed attempts left behind. Only the holder of the folder may call it. What an orphaned initdb is
 * still writing to stays for the next start.
 */
export async function removeAbandonedDrafts(folder: DataFolder): Promise<void> {
  const names = await readdir(folder.dataDir);
  const drafts = names.filter((name) => name.startsWith('postgres.new-'));
  await Promise.allSettled(
    drafts.map((name) => rm(join(folder.dataDir, name), { recursive: true, force: true })),
  );
}

/** What a new cluster takes, with the first of what is written to it. */
const NEW_CLUSTER_BYTES = 100e6;
/** For the files that say that a server runs. */
const START_BYTES = 1e6;

/** Throws where these programs cannot run on this folder as it is. Changes nothing. */
export async function assertUsable(folder: DataFolder, binaries: Binaries): Promise<void> {
  const isNew = !(await isInitialised(folder));
  if (!isNew) await assertVersion(folder, binaries);
  // One that still runs needs no room to start.
  if (await stat(join(folder.cluster, 'postmaster.pid')).catch(() => null)) return;
  const needed = isNew ? NEW_CLUSTER_BYTES : START_BYTES;
  const place = await findExisting(folder.dataDir);
  const { bavail, bsize } = await statfs(place);
  if (bavail * bsize >= needed) return;
  throw new EmbeddedPostgresError(
    `PostgreSQL needs ${needed / 1e6} MB, and ${place} has ${Math.floor((bavail * bsize) / 1e6)} MB free: make room, or choose another DATA_DIR.`,
  );
}

/** The folder itself, or the nearest one above it. */
async function findExisting(path: string): Promise<string> {
  const above = dirname(path);
  return above === path || (await stat(path).catch(() => null)) ? path : findExisting(above);
}

async function assertVersion(folder: DataFolder, binaries: Binaries): Promise<void> {
  const version = await readFile(join(folder.cluster, 'PG_VERSION'), 'utf8').catch((cause) => {
    throw new EmbeddedPostgresError(
      `this user may not read the PostgreSQL data in ${folder.cluster}: run this as the user of the service.`,
      {
        cause,
      },
    );
  });
  if (Number(version) !== binaries.majorVersion) {
    throw new EmbeddedPostgresError(
      `${folder.cluster} holds data of PostgreSQL ${version.trim()}, but this program brings PostgreSQL ${binaries.majorVersion}: use the matching release, or dump and restore the data.`,
    );
  }
}

/** Gives an existing cluster to the user that the programs run as. */
export async function handOverCluster(folder: DataFolder, user: ServerUser | null): Promise<void> {
  await handOver(user, folder.root);
  await assertReachable(user, folder.cluster);
}
