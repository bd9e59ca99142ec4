import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminClient, createSession } from '../../src/admin/testing/admin-client.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** 20,000 bytes. */
const custom_data = Object.fromEntries(
  ['a', 'b', 'c', 'd', 'e'].map((key) => [key, 'x'.repeat(3_999)]),
);
const CALLS = 40;

type Answer = { result?: object; error?: { data: { error_code: string } } };

test('no mutation of a batch is written and then answered as refused', async () => {
  const admin = createAdminClient(service);
  // Each update answers the session: some 240 KB, of which 7 MiB hold thirty.
  const teams = Array.from({ length: 12 }, () => ({ max_size: 2, custom_data }));
  const { name } = await createSession(admin, { teams });
  const updates = Array.from({ length: CALLS }, (_, n) => ({ ...name, region_id: `region-${n}` }));
  const path = `/admin/trpc/${updates.map(() => 'sessions.update').join(',')}?batch=1`;
  const response = await fetch(service.baseUrl + path, {
    method: 'POST',
    headers: await service.headers(),
    body: JSON.stringify({ ...updates }),
  });
  const answers = (await response.json()) as Answer[];
  const told = answers.filter(({ result }) => result);
  const refused = answers.flatMap(({ error }) => (error ? [error.data.error_code] : []));

  const { data } = await admin.query('audit.list', { action: 'sessions.update', page_size: 200 });
  expect(data.records).toHaveLength(told.length);
  expect(told.length + refused.length).toBe(CALLS);
  expect(new Set(refused)).toEqual(new Set(['body_too_large']));
});
