import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminClient, createSession, join } from '../../src/admin/testing/admin-client.ts';
import { readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** More than two hours would record, so that the full hour may strike meanwhile. */
const REFUSALS = 25;
const MOST_OF_TWO_HOURS = 20;

test('a player who is refused again and again writes some events, and the rest is counted', async () => {
  const admin = createAdminClient(service);
  const { name, platformSessionId } = await createSession(admin, { joinable: false });
  const player = randomUUID();
  for (let count = 0; count < REFUSALS; count += 1) {
    expect((await join(service, platformSessionId, player)).status).toBe(403);
  }
  const read = async (metric: string) =>
    readMetric(service, `muster_join_refusals_${metric}_total`);
  await expect.poll(async () => (await read('recorded')) + (await read('capped'))).toBe(REFUSALS);
  expect(await read('capped')).toBeGreaterThanOrEqual(REFUSALS - MOST_OF_TWO_HOURS);

  const { data } = await admin.query('sessions.events', { ...name, page_size: 100 });
  const events = (data.events as { kind: string; detail: object }[]).filter(
    ({ kind }) => kind === 'join_refused',
  );
  expect(events).toHaveLength(await read('recorded'));
  expect(events.map(({ detail }) => detail)).toContainEqual(
    expect.objectContaining({ error_code: 'session_not_joinable', last_of_hour: true }),
  );
});
