// Chooses the system user that PostgreSQL runs as, since it refuses to run as root,
// and proves that this user can reach what it needs before anything is started.
import { chown, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { runProgram } from './run-program.ts';

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

/** Throws one sentence that names the folder which keeps `user` from reaching `path`. */
export async function assertReachable(user: ServerUser | null, path: string): Promise<void> {
  if (!user) return;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const execute = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & execute) === 0) throw unreachable(user, path, folder);
    if (folder === dirname(folder)) return;
  }
}

function unreachable(user: ServerUser, path: string, folder: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root, and the user ${user.name} that it runs as instead cannot reach ${path} because ${folder} is closed to it: start as an ordinary user, move the folder, or set DATABASE_URL.`,
  );
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
