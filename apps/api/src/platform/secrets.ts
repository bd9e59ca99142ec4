// DATA_DIR, and the secrets that a service without configured ones keeps there: random, made once, readable by their owner only.
import { hkdfSync, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  link,
  lstat,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDataDir } from '@muster/database';
import type { Config } from './config.ts';
import { ConfigError, StartError, withUserMessage } from './errors.ts';

const MIN_SECRET_BYTES = 32;

const LOCAL_SECRETS = ['jwt-secret', 'accounts-secret'] as const;

const ADVICE =
  ': name a folder that this user may read and write, or run this as the user of the service.';

/** Throws ConfigError, or StartError for what the file system refuses. */
const usingDataDir = <Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> =>
  withUserMessage(`DATA_DIR ${dataDir} cannot be used`, work, () => false, ADVICE);

/**
 * Reads the secret of this name in DATA_DIR, or makes it. Two processes that make it at once get the same one. Throws ConfigError or
 * StartError.
 */
export const ensureLocalSecret = (
  dataDir: string,
  name: (typeof LOCAL_SECRETS)[number] = 'jwt-secret',
): Promise<string> =>
  usingDataDir(dataDir, async () => {
    const file = join(dataDir, name);
    return (await findSecret(file)) ?? createSecret(dataDir, file);
  });

const findSecret = async (file: string): Promise<string | null> => {
  const secret = await readSecret(file);
  if (secret !== null && (await stat(file)).mode & 0o077) await chmod(file, 0o600).catch(keepMode);
  return secret;
};

/** A secret from elsewhere, such as one that Kubernetes mounts, keeps its mode. */
const keepMode = (error: unknown): void => {
  if (!hasCode(error, 'EROFS') && !hasCode(error, 'EPERM')) throw error;
};

const readSecret = async (file: string): Promise<string | null> => {
  const secret = (await readIfPresent(file))?.trim() ?? null;
  if (secret === null || Buffer.byteLength(secret) >= MIN_SECRET_BYTES) return secret;
  throw new ConfigError([
    `DATA_DIR holds a secret of less than ${MIN_SECRET_BYTES} bytes in ${file}: delete the file, and a new one is made.`,
  ]);
};

const createSecret = async (dataDir: string, file: string): Promise<string> => {
  // Hexadecimal: a command line takes a value that begins with a hyphen for an option.
  const secret = randomBytes(48).toString('hex');
  await makeDataDir(dataDir);
  try {
    await writePrivateFile(file, `${secret}\n`, link);
    return secret;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    return (await findSecret(file)) ?? secret;
  }
};

/**
 * Writes a file that only its owner can read. It appears complete under its name, so that no reader sees half of it: `link` throws EEXIST
 * where there is one already, `rename` replaces it.
 */
const writePrivateFile = async (
  file: string,
  content: string,
  place: typeof link | typeof rename,
): Promise<void> => {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true });
    await place(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
};

/** Returns the path of the file. A link of that name is replaced, not followed. Throws StartError. */
export const replacePrivateFile = (
  dataDir: string,
  name: string,
  content: string,
): Promise<string> =>
  usingDataDir(dataDir, async () => {
    const file = join(dataDir, name);
    await makeDataDir(dataDir);
    await writePrivateFile(file, `${content}\n`, rename);
    return file;
  });

/** Deletes a file that may be absent. Throws StartError. */
export const deletePrivateFile = (dataDir: string, name: string): Promise<void> =>
  usingDataDir(dataDir, () => rm(join(dataDir, name), { force: true }));

const readIfPresent = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  });

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Enough for the few files beside the database. */
const NEEDED_BYTES = 1e6;

type DataDirFacts = {
  /** DATA_DIR, or its nearest existing parent. */
  folder: string;
  freeBytes: number;
  /** Why no file can be written there; absent: files can be written. */
  problem?: string;
};

/**
 * Checks before a start changes anything. Throws ConfigError or StartError where files of the service cannot be read, or where every start
 * writes and cannot.
 */
export const examineDataDir = (config: Config): Promise<DataDirFacts> =>
  usingDataDir(config.dataDir, async () => {
    let folder = config.dataDir;
    // A broken link exists, and cannot be used.
    while (!(await lstat(folder).catch(() => null)) && folder !== dirname(folder)) {
      folder = dirname(folder);
    }
    if (!(await stat(folder)).isDirectory()) {
      throw new StartError(`DATA_DIR ${config.dataDir}: ${folder} is no folder: name another one.`);
    }
    // Also reads the secrets, which may be unfit.
    const isNeeded = await isWritten(config);
    const { bavail, bsize, ffree, files } = await statfs(folder);
    const freeBytes = bavail * bsize;
    // Some file systems do not count their files.
    const isFull = freeBytes < NEEDED_BYTES || (files > 0 && ffree === 0);
    const reason = (await findAccessProblem(folder)) ?? (isFull && fullDisk(folder));
    if (!reason) return { folder, freeBytes };
    const problem = `DATA_DIR ${config.dataDir}: ${reason}`;
    if (isNeeded) throw new StartError(problem);
    return { folder, freeBytes, problem };
  });

const fullDisk = (folder: string): string => `the disk of ${folder} is full: make room.`;

const findAccessProblem = (folder: string): Promise<string | null> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => null,
    (error: unknown) =>
      hasCode(error, 'EROFS')
        ? `the file system of ${folder} is read-only: mount it writable, or name another folder.`
        : `this user may not write to ${folder}: name a folder that it may write to.`,
  );

/** Whether every start writes there: its own PostgreSQL, or secrets that are missing. */
const isWritten = async ({ accounts, auth, dataDir, databaseUrl }: Config): Promise<boolean> => {
  const names: (typeof LOCAL_SECRETS)[number][] = [];
  if (auth.keys.kind === 'local') names.push('jwt-secret');
  if (!accounts.secret && auth.keys.kind !== 'secret') names.push('accounts-secret');
  const secrets = await Promise.all(names.map((name) => readSecret(join(dataDir, name))));
  return !databaseUrl || secrets.includes(null);
};

/** The local secrets that exist, by name, for backups. With other secrets, people are signed out and their second factors are void. */
export const readLocalSecrets = (dataDir: string): Promise<Map<string, string>> =>
  usingDataDir(dataDir, async () => {
    const found = await Promise.all(
      LOCAL_SECRETS.map(async (name) => [name, await readIfPresent(join(dataDir, name))] as const),
    );
    return new Map(found.flatMap(([name, content]) => (content === null ? [] : [[name, content]])));
  });

/** Throws ConfigError if DATA_DIR holds a secret that differs from the one of the same name. */
export const assertSecretsFit = async (
  dataDir: string,
  secrets: ReadonlyMap<string, string>,
): Promise<void> => {
  for (const [name, present] of await readLocalSecrets(dataDir)) {
    if ((secrets.get(name) ?? present) === present) continue;
    const file = join(dataDir, name);
    throw new ConfigError([`${file} is another secret than the backup's: move it away first.`]);
  }
};

/** Writes files that only their owner can read, all or none. Existing ones stay. */
export const writeLocalSecrets = (
  dataDir: string,
  secrets: ReadonlyMap<string, string>,
): Promise<void> =>
  usingDataDir(dataDir, async () => {
    await makeDataDir(dataDir);
    await assertSecretsFit(dataDir, secrets);
    const present = await readLocalSecrets(dataDir);
    const written: string[] = [];
    try {
      for (const name of LOCAL_SECRETS.filter((known) => !present.has(known))) {
        const content = secrets.get(name);
        const file = join(dataDir, name);
        if (content === undefined) continue;
        await writePrivateFile(file, content, link);
        written.push(file);
      }
    } catch (error) {
      for (const file of written) await rm(file, { force: true });
      throw error;
    }
  });

/** Signs cookies and encrypts second factors. Derived from a shared signing secret, so that several processes agree. */
export const getAccountsSecret = async ({ accounts, auth, dataDir }: Config): Promise<string> => {
  if (accounts.secret) return accounts.secret;
  if (auth.keys.kind === 'secret') return derive(auth.keys.secret);
  return ensureLocalSecret(dataDir, 'accounts-secret');
};

/** RFC 5869: a value signed for accounts is never valid as a token, and vice versa. */
const derive = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'muster accounts', 32)).toString('base64url');
