// Backs up a service under load, restores the backup, and serves the restored data.
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describeSchema, digestTables } from '@muster/database/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminCaller } from './admin-caller.ts';
import type { EditRecord } from './faults/edit-load.ts';
import { startEditLoad } from './faults/edit-load.ts';
import type { JoinRecord } from './faults/join-load.ts';
import { startJoinLoad } from './faults/join-load.ts';
import type { TestBed } from './faults/test-bed.ts';
import { authorise, createTestBed, readOwnDatabase, SECRET } from './faults/test-bed.ts';
import { NOTHING_LOST, verifyOutcome } from './faults/verify-outcome.ts';
import type { ServiceProcess } from './service-process.ts';
import { startProgram, startServiceProcess } from './service-process.ts';

let folder: string;
let source: string;
let service: ServiceProcess;
let testBed: TestBed;
/** The acknowledged changes before the first backup began, and all changes until the second one. */
let before: { joins: JoinRecord; edits: EditRecord };
let joins: JoinRecord;

const place = (name: string) => join(folder, name);

const run = async (program: 'backup' | 'restore', dataDir: string, ...args: string[]) => {
  const running = await startProgram(program, { DATA_DIR: dataDir }, args);
  return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() };
};
const backUp = (to: string) => run('backup', source, '--to', place(to));
const restore = (from: string, dataDir: string) => run('restore', dataDir, '--from', place(from));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-backup-'));
  // Root runs PostgreSQL as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  source = place('source');
  await mkdir(source, { mode: 0o711 });
  await writeFile(join(source, 'jwt-secret'), SECRET, { mode: 0o600 });
  service = await startServiceProcess({ DATA_DIR: source });
  // Otherwise a start a minute later would make a new one-time password, and so a row that differs from the backup.
  await ask(source, 'UPDATE account_user SET last_signed_in_at = now()');
  // Enough for both loads on any machine, the second from the other end: each finds free seats until it is stopped.
  testBed = await createTestBed(service.baseUrl, 400);
  const fromTheEnd = { ...testBed, sessions: testBed.sessions.toReversed() };
  const { baseUrl } = service;
  const early = {
    joins: startJoinLoad({ testBed, baseUrls: [baseUrl] }),
    edits: await startEditLoad([baseUrl]),
  };
  await delay(2_000);
  before = { joins: await early.joins.stop(), edits: await early.edits.stop() };
  const late = {
    joins: startJoinLoad({ testBed: fromTheEnd, baseUrls: [baseUrl] }),
    edits: await startEditLoad([baseUrl]),
  };
  await delay(500);
  expect(await backUp('loaded.tar')).toMatchObject({ code: 0 });
  await delay(500);
  joins = await late.joins.stop();
  await late.edits.stop();
  // A refused join is stored up to a second after its response.
  await delay(2_000);
  expect(await backUp('quiet.tar')).toMatchObject({ code: 0 });
});

afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await rm(folder, { recursive: true });
});

const ask = async <Row extends object>(dataDir: string, sql: string): Promise<Row[]> => {
  const { url } = await readOwnDatabase(dataDir);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<Row>(sql).finally(() => client.end())).rows;
};

test('a backup under load contains everything acknowledged before it, at one point in time', async () => {
  const target = place('loaded');
  expect(await restore('loaded.tar', target)).toMatchObject({ code: 0 });
  const restored = await startServiceProcess({ DATA_DIR: target });
  const { url } = await readOwnDatabase(target);
  const all = [...before.joins.joins, ...joins.joins];
  // Changes during the backup may be in it or not.
  const maybe = joins.joins.map((join) => ({
    ...join,
    outcome: 'lost' as const,
    wasInDoubt: true,
  }));
  const record = { ...before.joins, joins: [...before.joins.joins, ...maybe] };
  expect(await verifyOutcome(url, { testBed, joins: record, edits: before.edits })).toEqual(
    NOTHING_LOST,
  );

  const [counts] = await ask<{ seats: number; torn: number }>(target, ONE_MOMENT);
  expect(counts?.torn).toBe(0);
  const seated = (played: JoinRecord['joins']) =>
    played.filter(({ outcome }) => outcome === 'seated').length;
  expect(counts?.seats).toBeGreaterThanOrEqual(seated(before.joins.joins));
  expect(counts?.seats).toBeLessThan(seated(all));

  await verifyHistories(restored, before.edits.sandboxId);
  const more = startJoinLoad({
    testBed: await createTestBed(restored.baseUrl, 20),
    baseUrls: [restored.baseUrl],
  });
  await delay(500);
  expect(
    (await more.stop()).joins.filter(({ outcome }) => outcome === 'seated').length,
  ).toBeGreaterThan(10);
  expect(await restored.stop()).toBe(0);
});

/** A join increases the version of its session, takes the seat and appends the event in one transaction. */
const ONE_MOMENT = `
  SELECT sum(seats)::int AS seats, count(*) FILTER (WHERE events <> seats OR newest <> version)::int AS torn
  FROM (SELECT s.version,
      (SELECT count(*) FROM session_seat p WHERE p.session_key = s.session_key) AS seats,
      (SELECT count(*) FROM session_event e WHERE e.session_key = s.session_key AND e.kind = 'player_joined') AS events,
      (SELECT coalesce(max(session_version), 1) FROM session_event e WHERE e.session_key = s.session_key) AS newest
    FROM session s) AS session`;

const verifyHistories = async ({ baseUrl }: ServiceProcess, sandbox_id: string): Promise<void> => {
  const admin = createAdminCaller(baseUrl, { authorization: await authorise('backend', '*') });
  const { data } = await admin.query<{ done: boolean; broken?: object; head_seq: number }>(
    'verification.check',
    { sandbox_id, after_seq: 0, limit: 5_000 },
  );
  expect(data).toMatchObject({ done: true });
  expect(data.broken).toBeUndefined();
  expect(data.head_seq).toBeGreaterThan(0);
};

/** Without the metrics and the use of keys, to which both running services add. */
const digestKept = async (url: string) => {
  const { metric_minute: _metrics, service_key_day: _use, ...digests } = await digestTables(url);
  return digests;
};

test('a restored folder has every row of the original, and the same secrets', async () => {
  const target = place('quiet');
  expect(await restore('quiet.tar', target)).toMatchObject({ code: 0 });
  const secret = join(target, 'jwt-secret');
  expect(await readFile(secret, 'utf8')).toBe(SECRET);
  expect((await stat(secret)).mode & 0o777).toBe(0o600);
  const expected = await digestKept((await readOwnDatabase(source)).url);
  const restored = await startServiceProcess({ DATA_DIR: target });
  const { url } = await readOwnDatabase(target);
  expect(await digestKept(url)).toEqual(expected);
  expect(await describeSchema(url)).toEqual(
    await describeSchema((await readOwnDatabase(source)).url),
  );
  expect(await restored.stop()).toBe(0);
  // The service is stopped: the backup starts PostgreSQL itself.
  expect(await run('backup', target, '--to', place('stopped.tar'))).toMatchObject({ code: 0 });
});

test('a folder with a database and an existing archive are refused', async () => {
  const refused = await restore('quiet.tar', source);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/holds a database already: choose an empty DATA_DIR/);
  expect(await backUp('quiet.tar')).toMatchObject({ code: 1, stdout: '' });
});

test('a truncated archive is refused before anything is created', async () => {
  const cut = place('cut.tar');
  await writeFile(cut, await readFile(place('quiet.tar')));
  await truncate(cut, (await stat(cut)).size - 2_000);
  const target = place('cut');
  const refused = await restore('cut.tar', target);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/is damaged \(its end is missing\): nothing was restored/);
  await expect(stat(target)).rejects.toThrow('ENOENT');
});

test.each(['backup', 'restore'] as const)('%s prints its usage and the fault', async (file) => {
  const help = await run(file, place('none'), '--help');
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toMatch(/^usage: npm run .*--help +print this.*Exit codes: /s);
  const wrong = await run(file, place('none'), '--form', 'x.tar');
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toMatch(/^Unknown option '--form' \(--help lists the options\)\.\n$/);
});

test('a restore that is stopped early or killed leaves no database, and the next one succeeds', async () => {
  const target = place('ended');
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const program = await startProgram('restore', { DATA_DIR: target }, [
      '--from',
      place('quiet.tar'),
    ]);
    while (!program.stderr().includes('session_event')) await delay(5);
    program.signal(signal);
    expect([143, 'SIGKILL']).toContain(await program.ended);
    expect(await readdir(target)).not.toContain('postgres');
  }
  expect(await restore('quiet.tar', target)).toMatchObject({ code: 0 });
  expect((await readdir(target)).sort()).toEqual(['accounts-secret', 'jwt-secret', 'postgres']);
});
