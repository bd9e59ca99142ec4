import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { DataDirInUseError, EmbeddedPostgresError } from './programs.ts';
import { chooseSharedBuffers } from './server-process.ts';

const isRoot = process.getuid?.() === 0;
const holder = fileURLToPath(new URL('../testing/hold-data-folder.ts', import.meta.url));
const servers: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];
let base: string;
let prepared: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'muster-embedded-test-'));
  await chmod(base, 0o711);
  prepared = join(base, 'prepared');
  const server = await start(prepared);
  await query(server.url, 'CREATE TABLE note (text TEXT)');
  await query(server.url, `INSERT INTO note VALUES ('kept')`);
  await server.stop();
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

afterAll(() => rm(base, { recursive: true, force: true }));

test('an empty folder becomes a UTF-8 database on loopback whose files and password are private', async () => {
  const dataDir = join(base, `with 'quotes" and $spaces`);
  const server = await start(dataDir);
  expect(server).toMatchObject({ adopted: false, url: expect.stringContaining('@127.0.0.1:') });
  expect(await readSettings(server.url)).toEqual({
    server_encoding: 'UTF8',
    lc_collate: expect.stringMatching(/^C/),
    password_encryption: 'scram-sha-256',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    autovacuum_naptime: '10s',
  });
  const isAsChosen = `pg_size_bytes(current_setting('shared_buffers')) = pg_size_bytes($1) AS same`;
  expect(await query(server.url, `SELECT ${isAsChosen}`, [chooseSharedBuffers()])).toEqual([
    { same: true },
  ]);
  expect((await stat(join(dataDir, 'postgres'))).mode & 0o077).toBe(0);
  expect((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777).toBe(0o600);
  await expect(query(server.url.replace(/:\w+@/, ':wrong@'), 'SELECT 1')).rejects.toMatchObject({
    code: '28P01',
  });
});

test('data survives a stop and a start', async () => {
  const server = await start(await copyPrepared());
  expect(server.adopted).toBe(false);
  expect(await query(server.url, 'SELECT text FROM note')).toEqual([{ text: 'kept' }]);
});

test('a relative folder means one below the current folder', async () => {
  const dataDir = await copyPrepared();
  const server = await start(relative(process.cwd(), dataDir));
  expect(await query(server.url, 'SELECT text FROM note')).toEqual([{ text: 'kept' }]);
});

test('a second start on a held folder is one clear sentence, from the same and from another process', async () => {
  const dataDir = await copyPrepared();
  const server = await start(dataDir);
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(DataDirInUseError);
  const other = await hold(dataDir);
  expect(other).toMatchObject({ error: 'DataDirInUseError' });
  expect(other.message).toBe(
    `The data folder ${dataDir} is in use by another running process: stop that one, or choose another DATA_DIR.`,
  );
  expect(await query(server.url, 'SELECT text FROM note')).toHaveLength(1);
});

test('after SIGKILL of the owner the next start adopts its server with all data', async () => {
  const dataDir = await copyPrepared();
  const owner = await hold(dataDir);
  await query(owner.url ?? '', `INSERT INTO note VALUES ('written before the kill')`);
  await kill(owner.process);
  const server = await start(dataDir);
  expect(server).toMatchObject({ adopted: true, url: owner.url });
  expect(await query(server.url, 'SELECT text FROM note')).toHaveLength(2);
});

test('after SIGKILL of the owner and of PostgreSQL the next start recovers all commits', async () => {
  const dataDir = await copyPrepared();
  const owner = await hold(dataDir);
  await query(owner.url ?? '', `INSERT INTO note VALUES ('committed')`);
  process.kill(await readServerPid(dataDir), 'SIGKILL');
  await kill(owner.process);
  const server = await start(dataDir);
  expect(server.adopted).toBe(false);
  expect(await query(server.url, 'SELECT text FROM note')).toHaveLength(2);
});

test('a left-over process id that now belongs to another program does not keep PostgreSQL from starting', async () => {
  const dataDir = await copyPrepared();
  const pidFile = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const stranger = await startStranger(dataDir);
  await writeFile(pidFile, `${stranger}\n${dataDir}\n1700000000\n1\n\n127.0.0.1\n`);
  const server = await start(dataDir);
  expect(server.adopted).toBe(false);
});

test('an initdb that was killed half-way is forgotten by the next start', async () => {
  const dataDir = join(base, 'half-finished');
  const owner = spawnHolder(dataDir);
  await vi.waitFor(
    async () => {
      const draft = (await readdir(dataDir)).find((name) => name.startsWith('postgres.new-'));
      expect(await readdir(join(dataDir, draft ?? '', 'cluster'))).toContain('base');
    },
    { timeout: 60_000, interval: 5 },
  );
  await kill(owner);
  await mkdir(join(dataDir, 'postgres.new-older', 'cluster'), { recursive: true });
  const server = await start(dataDir);
  expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(await readdir(dataDir)).not.toContain('postgres.new-older');
});

test('of two first starts on one empty folder exactly one wins and the other explains why', async () => {
  const dataDir = join(base, 'contested');
  const results = await Promise.all([hold(dataDir), hold(dataDir)]);
  expect(results.map((result) => result.error ?? 'started').sort()).toEqual([
    'DataDirInUseError',
    'started',
  ]);
});

test('data of another PostgreSQL release is refused with a sentence that names both', async () => {
  const dataDir = await copyPrepared();
  await writeFile(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), '12\n');
  await expect(start(dataDir)).rejects.toThrow(/holds data of PostgreSQL 12, but .* PostgreSQL 18/);
});

test.runIf(process.platform === 'linux')('a place without room is named', async () => {
  await expect(start('/proc/muster')).rejects.toThrow(/^PostgreSQL needs 100 MB, and \/proc has 0/);
});

test.runIf(isRoot)('as root, a folder that PostgreSQL’s user cannot reach is named', async () => {
  const closed = join(base, 'closed');
  await mkdir(closed, { mode: 0o700 });
  const failure = start(join(closed, 'data'));
  await expect(failure).rejects.toThrow(EmbeddedPostgresError);
  await expect(failure).rejects.toThrow(`because ${closed} is closed to it`);
});

test('a holder that lost its session, as in a crash of PostgreSQL, takes the folder again', async () => {
  const dataDir = await copyPrepared();
  const server = await start(dataDir);
  const lock = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted`;
  const [before] = await query(server.url, lock);
  await query(server.url, `SELECT pg_terminate_backend(${before?.pid})`);
  await expect
    .poll(async () => (await query(server.url, lock)).map(({ pid }) => pid !== before?.pid))
    .toEqual([true]);
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(DataDirInUseError);
});

test('restarts a killed server on its port with all commits, and keeps its folder locked', async () => {
  const dataDir = await copyPrepared();
  const trouble: string[] = [];
  const server = await start(dataDir, (message) => trouble.push(message));
  await query(server.url, `INSERT INTO note VALUES ('committed')`);
  process.kill(await readServerPid(dataDir), 'SIGKILL');
  await expect
    .poll(() => query(server.url, 'SELECT text FROM note').catch(() => []), { timeout: 120_000 })
    .toHaveLength(2);
  expect(trouble[0]).toBe('PostgreSQL has ended unasked and is started again');
  await expect
    .poll(() => query(server.url, HELD), { timeout: 60_000 })
    .toEqual([{ held: 'advisory' }]);
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(DataDirInUseError);
});

test('one that is stopped while it is brought back stays down, and the folder is free', async () => {
  const dataDir = await copyPrepared();
  const { promise: begun, resolve: onTrouble } = Promise.withResolvers<string>();
  const server = await start(dataDir, onTrouble);
  process.kill(await readServerPid(dataDir), 'SIGKILL');
  await begun;
  await server.stop();
  await expect(query(server.url, 'SELECT 1')).rejects.toThrow();
  await expect(start(dataDir)).resolves.toMatchObject({ adopted: false });
});

test('stopping twice is harmless and gives the folder free', async () => {
  const dataDir = await copyPrepared();
  const first = await start(dataDir);
  await Promise.all([first.stop(), first.stop()]);
  await expect(query(first.url, 'SELECT 1')).rejects.toThrow();
  await expect(start(dataDir)).resolves.toMatchObject({ adopted: false });
});

const HELD = `SELECT locktype AS held FROM pg_locks WHERE locktype = 'advisory' AND granted`;

async function start(
  dataDir: string,
  onTrouble: (message: string) => void = () => {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, onTrouble });
  servers.push(server);
  return server;
}

async function copyPrepared(): Promise<string> {
  const dataDir = await mkdtemp(join(base, 'copy-'));
  await chmod(dataDir, 0o711);
  execFileSync('cp', ['-a', join(prepared, 'postgres'), dataDir]);
  return dataDir;
}

/** A process of the user that PostgreSQL runs as: PostgreSQL itself takes any such one for a running server. */
async function startStranger(dataDir: string): Promise<number> {
  const { uid, gid } = await stat(join(dataDir, 'postgres', 'cluster'));
  const child = spawn('sleep', ['60'], { stdio: 'ignore', ...(isRoot ? { uid, gid } : {}) });
  children.push(child);
  return child.pid ?? 0;
}

type Held = { process: ChildProcess; url?: string; error?: string; message?: string };

async function hold(dataDir: string): Promise<Held> {
  const child = spawnHolder(dataDir);
  const [line] = await once(createInterface({ input: child.stdout ?? process.stdin }), 'line');
  const held: Held = { process: child, ...JSON.parse(String(line)) };
  if (held.url) servers.push({ url: held.url, adopted: false, stop: () => stopOrphan(dataDir) });
  return held;
}

function spawnHolder(dataDir: string): ChildProcess {
  const child = spawn(process.execPath, [holder, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Ends a server whose owner was killed and that no test adopted. */
async function stopOrphan(dataDir: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir }).catch(() => null);
  await server?.stop();
}

async function readServerPid(dataDir: string): Promise<number> {
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  return Number.parseInt(await readFile(file, 'utf8'), 10);
}

async function readSettings(url: string): Promise<Record<string, string>> {
  const names =
    'server_encoding lc_collate password_encryption listen_addresses unix_socket_directories fsync full_page_writes synchronous_commit autovacuum_naptime';
  const rows = await query(
    url,
    `SELECT name, CASE name WHEN 'lc_collate' THEN (SELECT datcollate FROM pg_database WHERE datname = current_database())
                  ELSE current_setting(name) END AS setting FROM unnest(string_to_array('${names}', ' ')) AS name`,
  );
  return Object.fromEntries(rows.map((row) => [String(row.name), String(row.setting)]));
}

async function query(
  url: string,
  sql: string,
  values?: readonly string[],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql, values && [...values])).rows;
  } finally {
    await client.end();
  }
}
