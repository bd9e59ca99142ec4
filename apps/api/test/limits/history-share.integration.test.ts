import { afterAll, beforeAll, expect, test } from 'vitest';
import { ITEMS, PLAYER, SANDBOX } from '../public-client.ts';
import { readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';
import { createTransferClient } from '../transfer-client.ts';
import { holdCatalogue } from './hold-tables.ts';

const OTHER_PLAYER = '7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a71';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const { mutate } = createTransferClient(service);
  await mutate('sandboxes.create', { sandbox_id: SANDBOX, name: 'Shared' });
  await mutate('items.create', { sandbox_id: SANDBOX, name: 'Sword', item_type: 'unit' });
});
afterAll(() => service.close());

const PERMISSIONS = ['session:update-player:self', 'sandbox:config:view'];
const headersOf = (sub: string) => service.headers({ sub, permissions: PERMISSIONS });

const read = async (headers: Record<string, string>, signal?: AbortSignal, query = '') => {
  const init = { headers, ...(signal && { signal }) };
  const response = await fetch(`${service.baseUrl}${ITEMS}${query}`, init);
  await response.text();
  return response;
};

const countHistories = async () => [
  await readMetric(service, 'muster_requests_under_way{kind="history"}'),
  await readMetric(service, 'muster_requests_waiting{kind="history"}'),
];

/** Before the statements that are held end. */
const WITHIN = { timeout: 4_000 };

test('one history of a player is read at a time, twelve wait, and others have the slots meanwhile', async () => {
  const release = await holdCatalogue(service.database);
  const headers = await headersOf(PLAYER);
  const leaving = new AbortController();
  const first = read(headers);
  await expect.poll(countHistories, WITHIN).toEqual([1, 0]);
  const waiting = Array.from({ length: 12 }, () => read(headers, leaving.signal).catch(String));
  await expect.poll(countHistories, WITHIN).toEqual([1, 12]);
  const refused = await read(headers);
  expect(refused.status).toBe(503);
  expect(['1', '2', '3']).toContain(refused.headers.get('retry-after'));
  const counted = 'muster_requests_refused_total{kind="history",reason="share"}';
  expect(await readMetric(service, counted)).toBe(1);

  const others = [read(await headersOf(OTHER_PLAYER))];
  // A service asks for many players.
  others.push(read(await service.headers()), read(await service.headers()));
  await expect.poll(countHistories, WITHIN).toEqual([4, 12]);
  leaving.abort();
  await expect.poll(countHistories, WITHIN).toEqual([4, 0]);
  await release();
  for (const { status } of await Promise.all([first, ...others])) expect(status).toBe(200);
  expect(await Promise.all(waiting)).toEqual(Array(12).fill(expect.stringContaining('Abort')));
});

test('what a game asks for at once when it starts is read, one after the other', async () => {
  const headers = await headersOf('7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a72');
  const answers = await Promise.all(Array.from({ length: 13 }, () => read(headers)));
  expect(answers.map(({ status }) => status)).toEqual(Array(13).fill(200));
});

test.each([
  ['of a name', '?name=sword'],
  ['of more than 200 versions', '?page_size=201'],
])('a page %s is read for one player at a time, and usual pages meanwhile', async (_, query) => {
  const players = ['9a73', '9a74', '9a75'].map((end) => `7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b${end}`);
  const [first, second, usual] = await Promise.all(players.map(headersOf));
  const release = await holdCatalogue(service.database);
  const ofService = await service.headers();
  const asked = [read(first!, undefined, query), read(second!, undefined, query)];
  asked.push(read(usual!), read(ofService, undefined, query));
  // Until the first one has kept the second one waiting for a second.
  await expect.poll(countHistories, WITHIN).toEqual([3, 1]);
  await release();
  const answers = await Promise.all(asked);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
