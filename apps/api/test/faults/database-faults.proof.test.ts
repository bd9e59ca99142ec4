// A PostgreSQL of the operator is killed, stopped and frozen under load, becomes read-only and refuses logins.
import { withClient } from '@muster/database';
import type { FragilePostgres } from '@muster/database/testing';
import { startFragilePostgres } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMetrics } from '../read-metrics.ts';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import type { Fault } from './inject-fault.ts';
import { injectFault, PROMISED_MS } from './inject-fault.ts';
import { findFailures } from './join-load.ts';
import { SECRET } from './test-bed.ts';
import { NOTHING_LOST } from './verify-outcome.ts';

let postgres: FragilePostgres;
let service: ServiceProcess;
let idleHandles: number;
beforeAll(async () => {
  postgres = await startFragilePostgres();
  await withClient({ connectionString: postgres.url }, (client) =>
    client.query(`CREATE ROLE admin SUPERUSER LOGIN PASSWORD 'admin'`),
  );
  service = await startServiceProcess({ DATABASE_URL: postgres.url, AUTH_JWT_SECRET: SECRET });
  idleHandles = (await readMetrics(service.baseUrl))(HANDLES);
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await postgres.remove();
});

/** With a separate role, so that it can revert its changes to the service's role. */
const administer = (...statements: string[]) => {
  const url = Object.assign(new URL(postgres.url), { username: 'admin', password: 'admin' });
  return withClient({ connectionString: url.href }, async (client) => {
    await client.query('SET default_transaction_read_only = off');
    for (const statement of statements) await client.query(statement);
  });
};

const setReadOnly = (value: 'on' | 'off') =>
  administer(
    `ALTER SYSTEM SET default_transaction_read_only = ${value}`,
    'SELECT pg_reload_conf()',
  );

/** A read-only database still responds: histories are read from it until a write fails. */
const untilNoticed = () =>
  expect
    .poll(async () => (await readMetrics(service.baseUrl))('muster_database_available'))
    .toBe(0);

type Outage = Pick<Fault, 'begin' | 'end' | 'seconds'>;

const OUTAGES: [string, () => Outage][] = [
  [
    'is killed and started again',
    () => ({ begin: postgres.kill, end: () => postgres.start(), seconds: 4 }),
  ],
  [
    'is stopped and started again',
    () => ({ begin: postgres.stop, end: () => postgres.start(), seconds: 4 }),
  ],
  [
    'is frozen for ten seconds',
    () => ({ begin: postgres.freeze, end: postgres.thaw, seconds: 10 }),
  ],
  [
    'is read-only for four seconds',
    () => ({
      begin: () => setReadOnly('on').then(untilNoticed),
      end: () => setReadOnly('off'),
      seconds: 4,
    }),
  ],
  [
    'ends all sessions and refuses logins for four seconds',
    () => ({
      begin: () =>
        administer(
          'ALTER ROLE muster NOLOGIN',
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'muster'`,
        ).then(untilNoticed),
      end: () => administer('ALTER ROLE muster LOGIN'),
      seconds: 4,
    }),
  ],
];

/** The alert that wakes an operator. */
const TURNED_AWAY = 'muster_join_outcomes_total{outcome="service_overloaded"}';

/** Requests that wait or are in progress. */
const PRESENT = [
  'muster_requests_in_progress{kind="join"}',
  'muster_requests_in_progress{kind="history"}',
  'muster_requests_running{kind="join"}',
  'muster_requests_running{kind="history"}',
  'muster_requests_waiting{kind="join"}',
  'muster_requests_waiting{kind="history"}',
  'muster_session_queue_waiting',
];

/**
 * Sockets of one process under load, in addition to the idle ones: 32 players, two editors, two probes and the reader
 * of metrics with connections that wait for the next request, 21 to the database, and a few that are closing. An outage
 * opens no more.
 */
const HANDLES_UNDER_LOAD = 37 + 21 + 12;
const HANDLES = 'process_open_fds';

test.each(OUTAGES)('loses nothing and hangs nowhere when the database %s', async (_, outage) => {
  const { baseUrl } = service;
  const before = await readMetrics(baseUrl);
  const seen = await injectFault({
    baseUrls: [baseUrl],
    databaseUrl: () => postgres.url,
    ...outage(),
  });
  expect(seen.outcome).toEqual(NOTHING_LOST);
  expect(seen.lost).toBe(0);
  expect(seen.joins).toMatchObject({ violations: [], unanswered: 0 });
  expect(seen.joins.slowest).toBeLessThan(PROMISED_MS);
  expect(findFailures(seen.joins)).toEqual(['service_overloaded']);
  const after = await readMetrics(baseUrl);
  expect(after(TURNED_AWAY)).toBeGreaterThan(before(TURNED_AWAY));
  expect(PRESENT.filter((series) => after(series) !== 0)).toEqual([]);
  expect(after(HANDLES)).toBeLessThan(idleHandles + HANDLES_UNDER_LOAD);
  expect(seen.histories.length).toBeGreaterThan(0);
  for (const { status, retryAfter } of seen.histories) {
    expect([status, retryAfter]).toEqual([503, expect.stringMatching(/^[1-3]$/)]);
  }
  expect(seen.slowestPage).toBeLessThan(PROMISED_MS);
  expect(new Set(seen.readiness.map(({ status }) => status))).toEqual(new Set([503]));
  expect(seen.recoveryMs).toBeLessThan(PROMISED_MS);
});
