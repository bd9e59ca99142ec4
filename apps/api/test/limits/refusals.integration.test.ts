import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AdminClient } from '../../src/admin/testing/admin-client.ts';
import { createAdminClient, createSession, join } from '../../src/admin/testing/admin-client.ts';
import { readMetric } from '../read-metrics.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** More than two hours allow, since an hour may end during a test. */
const ATTEMPTS = 25;
const MOST_OF_TWO_HOURS = 20;

const listEvents = async (admin: AdminClient, name: object, kind: string) => {
  const { data } = await admin.query('sessions.events', { ...name, page_size: 100 });
  return (data.events as { kind: string; detail: object }[]).filter((event) => event.kind === kind);
};

const readRefusals = (metric: 'recorded' | 'capped') =>
  readMetric(service, `muster_join_refusals_${metric}_total`);
const countRefusals = async () => (await readRefusals('recorded')) + (await readRefusals('capped'));

test('a player who is refused again and again writes some events, and the rest is counted', async () => {
  const admin = createAdminClient(service);
  const { name, platformSessionId } = await createSession(admin, { joinable: false });
  const player = randomUUID();
  for (let count = 0; count < ATTEMPTS; count += 1) {
    expect((await join(service, platformSessionId, player)).status).toBe(403);
  }
  await expect.poll(countRefusals).toBe(ATTEMPTS);
  expect(await readRefusals('capped')).toBeGreaterThanOrEqual(ATTEMPTS - MOST_OF_TWO_HOURS);

  const events = await listEvents(admin, name, 'join_refused');
  expect(events).toHaveLength(await readRefusals('recorded'));
  expect(events.map(({ detail }) => detail)).toContainEqual(
    expect.objectContaining({ error_code: 'session_not_joinable', last_of_hour: true }),
  );
});

test('a player who changes data again and again writes some events, and always the data', async () => {
  const admin = createAdminClient(service);
  const { name, platformSessionId } = await createSession(admin);
  const [player, other] = [randomUUID(), randomUUID()];
  await join(service, platformSessionId, player);
  await join(service, platformSessionId, other);
  for (let count = 0; count < ATTEMPTS; count += 1) {
    const { status, body } = await join(service, platformSessionId, player, {
      custom_data: { count: `${count}` },
    });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain(`{"count":"${count}"}`);
  }
  await join(service, platformSessionId, other, { custom_data: { count: '0' } });

  const capped = await readMetric(service, 'muster_join_updates_capped_total');
  expect(capped).toBeGreaterThanOrEqual(ATTEMPTS - MOST_OF_TWO_HOURS);
  const events = await listEvents(admin, name, 'player_updated');
  expect(events).toHaveLength(ATTEMPTS - capped + 1);
  expect(events.map(({ detail }) => detail)).toContainEqual(
    expect.objectContaining({ last_of_hour: true }),
  );
});

test('changes by a backend are all recorded', async () => {
  const admin = createAdminClient(service);
  const { name, platformSessionId } = await createSession(admin);
  const player = randomUUID();
  await admin.mutate('players.register', { player_uuid: player });
  const caller = { sub: 'backend', permissions: ['session:update-player:any'] };
  for (let count = 0; count <= ATTEMPTS; count += 1) {
    const { status } = await join(
      service,
      platformSessionId,
      player,
      { custom_data: { count: `${count}` } },
      caller,
    );
    expect(status).toBe(200);
  }
  expect(await listEvents(admin, name, 'player_updated')).toHaveLength(ATTEMPTS);
});

test('refused joins over the rate of a player are rejected at once, and none of them is recorded', async () => {
  const admin = createAdminClient(service);
  const { platformSessionId } = await createSession(admin, { joinable: false });
  const player = randomUUID();
  const burst = 60;
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
  const before = await countRefusals();
  for (let count = 0; count < burst; count += 1) {
    expect((await join(service, platformSessionId, player)).status).toBe(403);
  }
  const { status, body } = await join(service, platformSessionId, player);
  expect([status, body.error_code]).toEqual([409, 'rate_limited']);
  clock.mockReturnValue(now + 1_000);
  expect((await join(service, platformSessionId, player)).status).toBe(403);
  clock.mockRestore();
  await expect.poll(countRefusals).toBe(before + burst + 1);
});
