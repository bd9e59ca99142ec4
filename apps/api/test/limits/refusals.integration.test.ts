import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

/** More than two hours would record, so that the full hour may strike meanwhile. */
const ATTEMPTS = 25;
const MOST_OF_TWO_HOURS = 20;

const listEvents = async (admin: AdminClient, name: object, kind: string) => {
  const { data } = await admin.query('sessions.events', { ...name, page_size: 100 });
  return (data.events as { kind: string; detail: object }[]).filter((event) => event.kind === kind);
};

test('a player who is refused again and again writes some events, and the rest is counted', async () => {
  const admin = createAdminClient(service);
  const { name, platformSessionId } = await createSession(admin, { joinable: false });
  const player = randomUUID();
  for (let count = 0; count < ATTEMPTS; count += 1) {
    expect((await join(service, platformSessionId, player)).status).toBe(403);
  }
  const read = async (metric: string) =>
    readMetric(service, `muster_join_refusals_${metric}_total`);
  await expect.poll(async () => (await read('recorded')) + (await read('capped'))).toBe(ATTEMPTS);
  expect(await read('capped')).toBeGreaterThanOrEqual(ATTEMPTS - MOST_OF_TWO_HOURS);

  const events = await listEvents(admin, name, 'join_refused');
  expect(events).toHaveLength(await read('recorded'));
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

test('what a backend changes of a player is recorded in full', async () => {
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

test('the refusals of a player who asks for too many are answered later, and in full', async () => {
  const admin = createAdminClient(service);
  const { platformSessionId } = await createSession(admin, { joinable: false });
  const player = randomUUID();
  const refuse = async () => {
    const { status, body } = await join(service, platformSessionId, player);
    return { status, body };
  };
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 100 }, refuse));
  const [{ body } = { body: undefined }] = answers;
  expect(body).toMatchObject({ auth_success: true, error_code: 'session_not_joinable' });
  expect(answers).toEqual(answers.map(() => ({ status: 403, body })));
  // Twenty are free, and each of the others comes five milliseconds after the one before it; timers may come a moment early.
  expect(performance.now() - startedAt).toBeGreaterThan(390);
});

test('the joins of a player who asks for too many are answered later, and in full', async () => {
  const admin = createAdminClient(service);
  const { platformSessionId } = await createSession(admin);
  const player = randomUUID();
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => join(service, platformSessionId, player)),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  // Twenty are free, and each of the others comes five milliseconds after the one before it; timers may come a moment early.
  expect(performance.now() - startedAt).toBeGreaterThan(390);
});
