// Interrupted migrations, and databases that are newer than the program.
import { createTestDatabase, findChildren } from '@muster/database/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServiceProcess } from '../service-process.ts';
import { startProgram, startServiceProcess } from '../service-process.ts';
import { SECRET } from './test-bed.ts';

let url: string;
let dropDatabase: () => Promise<void>;
beforeEach(async () => {
  ({ url, drop: dropDatabase } = await createTestDatabase({ migrated: false }));
});
afterEach(() => dropDatabase());

const query = async (text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
};

const environment = () => ({ DATABASE_URL: url, AUTH_JWT_SECRET: SECRET });

/** Slows down every table and index, so that a migration can be interrupted in the middle. */
const SLOW_DOWN = `
  CREATE FUNCTION slow_down() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.03); END $$;
  CREATE EVENT TRIGGER slow_down ON ddl_command_start EXECUTE FUNCTION slow_down()`;
const SPEED_UP = 'DROP EVENT TRIGGER slow_down; DROP FUNCTION slow_down()';

const countFinished = async (): Promise<number> => {
  const rows = await query(
    'SELECT count(*)::int AS count FROM _prisma_migrations WHERE finished_at IS NOT NULL',
  ).catch(() => []);
  return Number(rows[0]?.count ?? 0);
};

const listTables = () =>
  query(`SELECT table_name, column_name, data_type, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`);

/** The service and the short-lived process that migrates for it. */
const killFamily = async (pid: number): Promise<void> => {
  const children = await findChildren(pid);
  for (const each of [pid, ...children]) process.kill(each, 'SIGKILL');
};

test.each([1, 3, 6])(
  'finishes a migration that was killed after %i steps at the next start',
  async (steps) => {
    await query(SLOW_DOWN);
    const first = await startProgram('service', environment());
    await expect
      .poll(countFinished, { timeout: 60_000, interval: 5 })
      .toBeGreaterThanOrEqual(steps);
    await killFamily(first.pid);
    await first.ended;
    const finished = await countFinished();
    await query(SPEED_UP);

    const service = await startServiceProcess(environment());
    expect(await countFinished()).toBeGreaterThan(finished);
    expect(await service.stop()).toBe(0);
    const untouched = await createTestDatabase();
    const tables = await listTables();
    url = untouched.url;
    expect(tables).toEqual(await listTables());
    await untouched.drop();
  },
);

test('refuses to start a program that is older than its database, while a running one continues', async () => {
  const running: ServiceProcess = await startServiceProcess(environment());
  await query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
    VALUES ('newer', 'newer', '9999_newer', now(), 1)`);
  const older = await startProgram('service', environment());
  expect(await older.ended).toBe(1);
  expect(older.stderr()).toContain('9999_newer');
  expect((await fetch(`${running.baseUrl}/readyz`)).status).toBe(200);
  expect(await running.stop()).toBe(0);
});
