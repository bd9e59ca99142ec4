// A database that responds but refuses, with real processes: the log, a process without file descriptors, and starts on
// a standby.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { withClient } from '@muster/database';
import type { FragilePostgres, TestReplica } from '@muster/database/testing';
import { startFragilePostgres, startReplica } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMetrics } from '../read-metrics.ts';
import { joinOnce } from '../scaling/placed-load.ts';
import type { ServiceProcess } from '../service-process.ts';
import { startProgram, startServiceProcess } from '../service-process.ts';
import { authorise, createTestBed, SECRET } from './test-bed.ts';

let primary: FragilePostgres;
let standby: TestReplica;
beforeAll(async () => {
  primary = await startFragilePostgres();
  standby = await startReplica(primary);
});
afterAll(async () => {
  await standby?.remove();
  await primary?.remove();
});

const run = (url: string, ...statements: string[]) =>
  withClient({ connectionString: url }, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/** Resolves when the server has read the setting. Its sessions read it before their next command. */
const setReadOnly = async (url: string, value: 'on' | 'off') => {
  await run(
    url,
    'SET default_transaction_read_only = off',
    `ALTER SYSTEM SET default_transaction_read_only = ${value}`,
    'SELECT pg_reload_conf()',
  );
  await expect.poll(() => readDefault(url)).toBe(value);
};

const readDefault = (url: string) =>
  withClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query('SHOW default_transaction_read_only');
    return rows[0]?.default_transaction_read_only;
  });

const endSessions = (url: string) =>
  run(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'muster' AND pid <> pg_backend_pid()`,
  );

describe('a running service', () => {
  let service: ServiceProcess;
  let session: string;
  beforeAll(async () => {
    service = await startServiceProcess({
      DATABASE_URL: primary.url,
      AUTH_JWT_SECRET: SECRET,
      LOG_LEVEL: 'info',
    });
    session = (await createTestBed(service.baseUrl, 1)).sessions[0] ?? '';
  });
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
  });

  const join = async () => (await joinOnce(service.baseUrl, session, randomUUID())).status;
  const isAvailable = async () =>
    (await readMetrics(service.baseUrl))('muster_database_available') === 1;

  test('logs the reason of an outage once, and its end', async () => {
    await setReadOnly(primary.url, 'on');
    for (let joins = 0; joins < 20; joins += 1) expect(await join()).toBe(409);
    await expect.poll(isAvailable).toBe(false);
    await setReadOnly(primary.url, 'off');
    await expect.poll(join, { timeout: 3_000 }).toBe(200);
    const lines = service
      .readErrors()
      .split('\n')
      .filter((line) => line.includes('the database is'))
      .flatMap((line) => {
        const { level, msg, reason } = JSON.parse(line);
        return level >= 50 || msg.startsWith('the database') ? [{ level, msg, reason }] : [];
      });
    expect(lines).toEqual([
      {
        level: 50,
        msg: 'the database is unavailable; requests are rejected',
        reason: 'the database is read-only, since transaction_read_only is on',
      },
      { level: 30, msg: 'the database is available again' },
    ]);
  });

  test('treats the lack of file descriptors as an outage, and recovers from it', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (method: string, path: string, body?: unknown) => {
      const headers = {
        authorization: await authorise('tester', '*'),
        'content-type': 'application/json',
      };
      const { promise, resolve, reject } = Promise.withResolvers<{
        status: number;
        text: string;
      }>();
      const sent = request(service.baseUrl + path, { agent, method, headers }, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, text });
      });
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
      return promise;
    };
    const joinAgain = async () => {
      const path = `/session/v1/platform/Steam/platform-session/${session}/player/${player}`;
      const { status } = await ask('POST', path, {
        client_version: '1.0.0',
        client_settings: { platform: 'Steam', input: 'gamepad' },
        team_id: 0,
      });
      return status;
    };
    const player = randomUUID();
    await run(primary.url, `INSERT INTO player (player_uuid) VALUES ('${player}')`);
    // The connection of the client is open from here on: no other one can be accepted.
    expect((await ask('GET', '/readyz')).status).toBe(200);
    limitFiles(service, 3);
    await endSessions(primary.url);
    expect(await joinAgain()).toBe(409);
    const history = `/v1/history/sandbox/${randomUUID()}/item/`;
    expect((await ask('GET', history)).status).toBe(503);
    expect((await ask('GET', '/admin/trpc/sandboxes.list?input=%7B%7D')).status).toBe(503);
    expect((await ask('GET', '/readyz')).status).toBe(503);
    const readMetric = async () =>
      /^muster_database_available (\d)$/m.exec((await ask('GET', '/metrics')).text)?.[1];
    await expect.poll(readMetric).toBe('0');
    limitFiles(service, 1_024);
    await expect.poll(joinAgain, { timeout: 3_000 }).toBe(200);
    await expect.poll(readMetric).toBe('1');
    agent.destroy();
  });
});

/** Changes the soft limit of a running process; open files stay open. */
const limitFiles = ({ child }: ServiceProcess, files: number) => {
  execFileSync('prlimit', ['--pid', String(child.pid), `--nofile=${files}:`]);
};

const REASON = 'the database is read-only, since it is a standby';

describe('a standby', () => {
  const env = () => ({ DATABASE_URL: standby.url, AUTH_JWT_SECRET: SECRET, DEMO_DATA: '0' });

  test('ends a start with one sentence after a minute, the same as in doctor', async () => {
    const startedAt = performance.now();
    const service = await startProgram('service', env());
    const doctor = await startProgram('doctor', env());
    expect(await doctor.ended).toBe(1);
    expect(doctor.stdout()).toContain(`fail  database  Nothing can be written: ${REASON}.\n`);
    expect(await service.ended).toBe(1);
    expect(performance.now() - startedAt).toBeGreaterThan(60_000);
    const { host } = new URL(standby.url);
    expect(service.stderr().trim().split('\n')).toEqual([
      `Waiting for a minute, since ${REASON} …`,
      `DATABASE_URL: cannot use the database ${host}/muster: ${REASON}.`,
    ]);
  });

  test('refuses a migration with one sentence', async () => {
    await run(primary.url, 'CREATE DATABASE empty');
    const url = Object.assign(new URL(standby.url), { pathname: '/empty' }).href;
    const find = () =>
      run(url, 'SELECT 1').then(
        () => true,
        () => false,
      );
    await expect.poll(find, { timeout: 10_000 }).toBe(true);
    const migrate = await startProgram('migrate', { ...env(), DATABASE_URL: url });
    expect(await migrate.ended).toBe(1);
    expect(migrate.stderr()).toMatch(/^The database cannot be migrated: cannot execute .*\.\n$/m);
    expect(migrate.stderr()).not.toMatch(/^ +at /m);
  });

  test('continues a start when it is promoted', async () => {
    const service = await startProgram('service', env());
    await expect.poll(service.stderr, { timeout: 20_000 }).toContain('Waiting for a minute');
    await run(standby.url, 'SELECT pg_promote()');
    const baseUrl = await service.baseUrl();
    await expect.poll(async () => (await fetch(`${baseUrl}/readyz`)).status).toBe(200);
    service.signal('SIGTERM');
    expect(await service.ended).toBe(0);
  });
});
