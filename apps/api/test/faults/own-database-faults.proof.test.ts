// The built-in PostgreSQL of the service is killed under load, and the service restarts it.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import { injectFault, PROMISED_MS } from './inject-fault.ts';
import { findFailures } from './join-load.ts';
import { readOwnDatabase, SECRET } from './test-bed.ts';
import { NOTHING_LOST } from './verify-outcome.ts';

let dataDir: string;
let service: ServiceProcess;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-own-database-'));
  // Root runs PostgreSQL as another user, who must be able to enter the folder.
  await chmod(dataDir, 0o711);
  service = await startServiceProcess({ DATA_DIR: dataDir, AUTH_JWT_SECRET: SECRET });
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await rm(dataDir, { recursive: true });
});

const readServer = () => readOwnDatabase(dataDir);

const killServer = async () => process.kill((await readServer()).pid, 'SIGKILL');

/** PostgreSQL then ends all connections, recovers, and continues by itself. */
const killOneOfItsProcesses = async () => {
  const client = new pg.Client({ connectionString: (await readServer()).url });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
};

const isReady = async (): Promise<boolean> => (await fetch(`${service.baseUrl}/readyz`)).ok;

const waitUntilReady = async (): Promise<void> => {
  while (!(await isReady())) await delay(20);
};

/** From the end of the database to the next seat: detection, restart, recovery from its log. Three seconds on two busy cores. */
const BACK_MS = 8_000;

test.each([
  ['is killed', killServer],
  ['crashes in one of its processes', killOneOfItsProcesses],
])('loses nothing when the database %s, and restarts it', async (_, begin) => {
  const seen = await injectFault({
    baseUrls: [service.baseUrl],
    databaseUrl: async () => (await readServer()).url,
    begin,
    end: waitUntilReady,
    seconds: 0.5,
  });
  expect(seen.outcome).toEqual(NOTHING_LOST);
  expect(seen.lost).toBe(0);
  expect(seen.joins).toMatchObject({ violations: [], unanswered: 0 });
  expect(findFailures(seen.joins)).toEqual(['service_overloaded']);
  expect(seen.joins.slowest).toBeLessThan(PROMISED_MS);
  expect(seen.recoveryMs).toBeLessThan(PROMISED_MS);
  expect(seen.longestPauseMs).toBeLessThan(BACK_MS);
});
