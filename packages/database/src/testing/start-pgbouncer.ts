// A real PgBouncer before a server, with its own defaults but for what a test names.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../client.ts';
import { makePassableFolder } from '../embedded/data-folder.ts';
import { chooseServerUser, handOverOne } from '../embedded/programs.ts';
import { findFreePort } from '../embedded/server-process.ts';

export type Pgbouncer = {
  /** Leads to the same database as the URL of the server. */
  url: string;
  /** Leads new connections to this server. Open connections are not changed. */
  pointTo(serverUrl: string): Promise<void>;
  /** What it has logged so far. */
  readLog(): Promise<string>;
  stop(): Promise<void>;
};

/** `settings` are lines of its section `[pgbouncer]`, by name. Rejects with one sentence where it is not installed. */
export async function startPgbouncer(
  serverUrl: string,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Pgbouncer> {
  const folder = await makePassableFolder(join(tmpdir(), 'muster-pgbouncer-'));
  // It refuses to run as root.
  const user = await chooseServerUser(folder);
  await handOverOne(user, folder);
  const port = await findFreePort();
  const file = (name: string) => join(folder, name);
  const write = async (name: string, content: string) => {
    await writeFile(file(name), content);
    await handOverOne(user, file(name));
  };
  const { username, password, pathname } = new URL(serverUrl);
  const configure = (target: string) =>
    write('pgbouncer.ini', composeConfiguration(target, port, folder, settings));
  await write(
    'userlist.txt',
    `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`,
  );
  await configure(serverUrl);
  const { child, exited } = runPgbouncer([file('pgbouncer.ini')], user);
  const url = `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`;
  const readLog = () => readFile(file('pgbouncer.log'), 'utf8').catch(() => '');
  const begun = new AbortController();
  await Promise.race([
    waitUntilItAnswers(url, begun.signal),
    exited.then(async () => {
      throw new Error(`PgBouncer ended before it answered: ${await readLog()}`);
    }),
  ]).finally(() => begun.abort());
  return {
    url,
    readLog,
    pointTo: async (target) => {
      await configure(target);
      child.kill('SIGHUP');
    },
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

const composeConfiguration = (
  serverUrl: string,
  port: number,
  folder: string,
  settings: Readonly<Record<string, string | number>>,
): string => {
  const { hostname, port: serverPort, pathname } = new URL(serverUrl);
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: `${folder}/userlist.txt`,
    logfile: `${folder}/pgbouncer.log`,
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  const database = `${pathname.slice(1)} = host=${hostname} port=${serverPort}`;
  return ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n');
};

/** Folders of administrators are often not on the path of others. */
const FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

const runPgbouncer = (
  args: readonly string[],
  user: Awaited<ReturnType<typeof chooseServerUser>>,
): { child: ChildProcess; exited: Promise<unknown> } => {
  const { PGBOUNCER_PATH, PATH = '' } = process.env;
  const child = spawn(PGBOUNCER_PATH || 'pgbouncer', ['--quiet', ...args], {
    env: { ...process.env, PATH: [PATH, ...FOLDERS].join(delimiter) },
    stdio: ['ignore', 'inherit', 'inherit'],
    cwd: '/',
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  });
  const exited = once(child, 'exit').catch((cause: unknown) => {
    throw new Error(NO_PGBOUNCER, { cause });
  });
  return { child, exited };
};

const NO_PGBOUNCER =
  'No PgBouncer found: install it (Debian: apt-get install pgbouncer), or set PGBOUNCER_PATH to the program.';

/** Ends early when the signal is aborted. */
const waitUntilItAnswers = async (url: string, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const answered = await withClient({ connectionString: url }, (client) =>
      client.query('SELECT 1'),
    ).catch(() => null);
    if (answered) return;
    await delay(20);
  }
};
