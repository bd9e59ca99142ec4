// The clock of the machine is set a day ahead and a day back while players join.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '@muster/database/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import { injectFault } from './inject-fault.ts';
import { SECRET } from './test-bed.ts';
import { NOTHING_LOST } from './verify-outcome.ts';

const DAY_SECONDS = 24 * 60 * 60;

let folder: string;
let databaseUrl: string;
let dropDatabase: () => Promise<void>;
let service: ServiceProcess;
beforeAll(async () => {
  ({ url: databaseUrl, drop: dropDatabase } = await createTestDatabase());
  folder = await mkdtemp(join(tmpdir(), 'muster-clock-'));
  await writeSkew(0);
  service = await startServiceProcess({
    DATABASE_URL: databaseUrl,
    AUTH_JWT_SECRET: SECRET,
    CLOCK_SKEW_FILE: skewFile(),
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'skewed-clock.ts')}`,
  });
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await dropDatabase();
  await rm(folder, { recursive: true });
});

const skewFile = () => join(folder, 'seconds');
const writeSkew = (seconds: number) => writeFile(skewFile(), String(seconds));

const setClock = async (skewSeconds: number): Promise<void> => {
  await writeSkew(skewSeconds);
  service.child.kill('SIGUSR2');
  await delay(1_000);
};

/** Seconds between the first and the last seat, by the clock of the service. */
const readSpreadSeconds = async (): Promise<number> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ seconds: number }>(
    'SELECT extract(epoch FROM max(joined_at) - min(joined_at))::int AS seconds FROM session_seat',
  );
  await client.end();
  return rows[0]?.seconds ?? 0;
};

test('loses nothing and refuses no player when the clock jumps a day ahead and a day back', async () => {
  const seen = await injectFault({
    baseUrls: [service.baseUrl],
    databaseUrl: () => databaseUrl,
    seconds: 1,
    begin: async () => {
      await setClock(DAY_SECONDS);
      await setClock(-DAY_SECONDS);
    },
    end: () => setClock(0),
  });
  // The service really used other days.
  expect(await readSpreadSeconds()).toBeGreaterThan(1.9 * DAY_SECONDS);
  expect(seen.outcome).toEqual(NOTHING_LOST);
  expect(seen.lost).toBe(0);
  expect(seen.joins).toMatchObject({ violations: [], unanswered: 0, putOff: 0 });
});
