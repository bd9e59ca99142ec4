// Histories with a real streaming replica: a lagging or unavailable replica is not used.
import type { FragilePostgres, TestReplica } from '@muster/database/testing';
import { startFragilePostgres, startReplica } from '@muster/database/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminCaller } from '../admin-caller.ts';
import { createAdminCaller } from '../admin-caller.ts';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import { startAgain } from './start-again.ts';
import { authorise, SECRET } from './test-bed.ts';

let primary: FragilePostgres;
let replica: TestReplica;
let service: ServiceProcess;
let admin: AdminCaller;
let sandboxId: string;
beforeAll(async () => {
  primary = await startFragilePostgres();
  replica = await startReplica(primary);
  service = await startServiceProcess({
    DATABASE_URL: primary.url,
    AUTH_JWT_SECRET: SECRET,
    DATABASE_REPLICA_URL: replica.url,
  });
  admin = createAdminCaller(service.baseUrl, { authorization: await authorise('editor', '*') });
  const made = await admin.mutate<{ sandbox_id: string }>('sandboxes.create', { name: 'Replica' });
  sandboxId = made.data.sandbox_id;
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await replica.remove();
  await primary.remove();
});

const addItem = async (name: string): Promise<void> => {
  const input = { sandbox_id: sandboxId, name, item_type: 'unit' };
  expect((await admin.mutate('items.create', input)).status).toBe(200);
};

type Page = {
  transactions: { version_name: string }[];
  page_meta: { cursor?: string; total: number };
};

const readPage = async (query = ''): Promise<Page> => {
  const url = `${service.baseUrl}/v1/history/sandbox/${sandboxId}/item/?page_size=2${query}`;
  const headers = { authorization: await authorise('reader', '*') };
  const answer = await fetch(url, { headers });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Page;
};

const namesOf = ({ transactions }: Page) => transactions.map(({ version_name }) => version_name);

/** Whether the replica answered the last page, by the last query of the service on it. */
const servedLast = async (): Promise<boolean> => {
  const client = new pg.Client({ connectionString: replica.url });
  await client.connect();
  const { rows } = await client.query<{ query: string }>(
    `SELECT query FROM pg_stat_activity WHERE application_name = 'muster-replica'
     ORDER BY state_change DESC LIMIT 1`,
  );
  await client.end();
  return rows[0]?.query.includes('catalogue_version') ?? false;
};

const waitUntilItServes = () =>
  expect
    .poll(
      async () => {
        await readPage();
        return servedLast();
      },
      { timeout: 20_000, interval: 200 },
    )
    .toBe(true);

test('reads a page from a replica that has its position', async () => {
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) await addItem(name);
  await waitUntilItServes();
  const page = await readPage();
  expect(namesOf(page)).toEqual(['Five', 'Four']);
  expect(page.page_meta.total).toBe(5);
});

test('does not use a lagging replica, so that editors see their edits at once', async () => {
  await replica.pause();
  await addItem('Six');
  const page = await readPage();
  expect(namesOf(page)).toEqual(['Six', 'Five']);
  expect(await servedLast()).toBe(false);
  const next = await readPage(`&cursor=${page.page_meta.cursor}`);
  expect(namesOf(next)).toEqual(['Four', 'Three']);
  expect(await servedLast()).toBe(false);
  await replica.resume();
  await waitUntilItServes();
  const again = await readPage(`&cursor=${page.page_meta.cursor}`);
  expect(again).toEqual(next);
  expect(await servedLast()).toBe(true);
});

test('continues pages on a lagging replica that has their position', async () => {
  const { page_meta } = await readPage();
  await replica.pause();
  await addItem('Seven');
  expect(namesOf(await readPage(`&cursor=${page_meta.cursor}`))).toEqual(['Four', 'Three']);
  expect(await servedLast()).toBe(true);
  expect(namesOf(await readPage())).toEqual(['Seven', 'Six']);
  expect(await servedLast()).toBe(false);
  await replica.resume();
  await waitUntilItServes();
});

const AWAY: [string, () => Promise<void>, () => Promise<void>][] = [
  ['frozen', () => replica.freeze(), () => replica.thaw()],
  ['killed', () => replica.kill(), () => startAgain(replica)],
];

test.each(AWAY)('reads pages from the primary while the replica is %s', async (_, begin, end) => {
  await begin();
  for (let n = 0; n < 5; n += 1) {
    const askedAt = performance.now();
    expect(namesOf(await readPage())).toEqual(['Seven', 'Six']);
    expect(performance.now() - askedAt).toBeLessThan(3_000);
  }
  await end();
  await waitUntilItServes();
});
