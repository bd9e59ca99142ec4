// Audit records while the service is killed: each one is pushed, in the order in which the export has them.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase } from '@muster/database/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Receiver } from '../../src/webhooks/testing/webhook-receiver.ts';
import { startReceiver } from '../../src/webhooks/testing/webhook-receiver.ts';
import { createAdminCaller } from '../admin-caller.ts';
import { authorise, SECRET } from '../faults/test-bed.ts';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';

const ROUNDS = 5;
/** The lease of a delivery that a killed process was sending, and its retries. */
const DELIVERED = { timeout: 120_000, interval: 500 };

let database: TestDatabase;
let receiver: Receiver;
let service: ServiceProcess;

const start = async () => {
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    AUTH_JWT_SECRET: SECRET,
    WEBHOOK_ALLOW_PRIVATE: '1',
  });
};

beforeEach(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  await start();
});
afterEach(async () => {
  await service.stop();
  receiver.close();
  await database.drop();
});

const headers = async () => ({ authorization: await authorise('siem', '*') });

/** Makes changes until the process is killed. */
const changeUntilKilled = async (): Promise<void> => {
  const admin = createAdminCaller(service.baseUrl, await headers());
  const killed = delay(randomInt(500, 2_500)).then(() => service.child.kill('SIGKILL'));
  for (let isAlive = true; isAlive; ) {
    const input = { sandbox_id: randomUUID(), name: 'Sandbox' };
    const { status } = await admin.mutate('sandboxes.create', input).catch(() => ({ status: 0 }));
    isAlive = status !== 0;
  }
  await killed;
};

type Line = { audit_id: string; action: string };

/** Every record of the trail, in the order of the export. */
const readTrail = async (): Promise<Line[]> => {
  const lines: Line[] = [];
  for (let cursor = '', hasMore = true; hasMore; ) {
    const url = `${service.baseUrl}/admin/audit/export?${cursor && `cursor=${cursor}`}`;
    const response = await fetch(url, { headers: await headers() });
    const text = await response.text();
    lines.push(...text.split('\n').flatMap((line) => (line ? (JSON.parse(line) as Line) : [])));
    cursor = response.headers.get('muster-cursor') ?? '';
    hasMore = response.headers.has('muster-more');
  }
  return lines;
};

const countRecords = async (): Promise<number> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT count(*)::int AS count FROM audit_record');
    return rows[0].count;
  } finally {
    await client.end();
  }
};

test('every audit record arrives in the order of the export, although the process is killed', async () => {
  const admin = createAdminCaller(service.baseUrl, await headers());
  const input = { url: receiver.url, kinds: ['audit_recorded'] };
  const { data } = await admin.mutate<{ secret: string }>('webhooks.create', input);
  receiver.use(data.secret);
  receiver.respond(() => (randomInt(20) === 0 ? 500 : 204));
  receiver.delayBy(() => randomInt(50));
  for (let round = 0; round < ROUNDS; round += 1) {
    await changeUntilKilled();
    await start();
  }
  receiver.respond(() => 204);
  // The trail has a record once all older transactions of the server have ended, those of other tests as well.
  await expect.poll(async () => (await readTrail()).length, DELIVERED).toBe(await countRecords());
  const records = await readTrail();
  const first = records.findIndex(({ action }) => action === 'webhooks.create');
  const trail = records.slice(first).map(({ audit_id }) => audit_id);
  expect(trail.length).toBeGreaterThan(ROUNDS * 10);
  // A delivery whose response was lost arrives again with the same id, and a receiver ignores it.
  // A record from just before the webhook arrives as well when an older transaction was still running as the webhook was created.
  await expect
    .poll(
      () =>
        receiver
          .accepted()
          .map(({ event_id }) => event_id)
          .slice(-trail.length),
      DELIVERED,
    )
    .toEqual(trail);
  process.stdout.write(`${trail.length} records in ${receiver.requests.length} requests\n`);
});
