// Webhooks in the admin API.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMetric } from '../../test/read-metrics.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from './testing/admin-client.ts';
import { createAdminClient } from './testing/admin-client.ts';

type Webhook = { webhook_id: string; version: number; secret: string; url: string };

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

const URL_OF_TESTS = 'https://hooks.example/muster';

const create = async (input: object = {}): Promise<Webhook> => {
  const { data, error } = await admin.mutate('webhooks.create', {
    url: URL_OF_TESTS,
    kinds: ['session_ended'],
    ...input,
  });
  if (error) throw new Error(error.error_code);
  return data as Webhook;
};

const codeOf = async (procedure: string, input: object) =>
  (await admin.mutate(procedure, input)).error?.error_code;

test('shows a secret once, and stores it encrypted', async () => {
  const { secret, webhook_id } = await create();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { data: read } = await admin.query('webhooks.get', { webhook_id });
  const { data: listed } = await admin.query('webhooks.list');
  const stored = await service.database.prisma.webhookEndpoint.findMany();
  const audit = await service.database.prisma.auditRecord.findMany();
  const all = JSON.stringify([read, listed, stored, audit], (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(all).toContain(webhook_id);
  expect(all).not.toContain(secret.slice('whsec_'.length));
  // A path can be a secret of the receiver.
  const { origin, pathname } = new URL(URL_OF_TESTS);
  expect(JSON.stringify(audit)).toContain(origin);
  expect(JSON.stringify(audit)).not.toContain(origin + pathname);
  expect(read).toMatchObject({
    url: URL_OF_TESTS,
    kinds: ['session_ended'],
    pending_deliveries: 0,
  });
});

describe('refuses', () => {
  test.each([
    'http://hooks.example/',
    'ftp://hooks.example/',
    'https://user:secret@hooks.example/',
    'https://hooks.example/#part',
    'not a URL',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://168.63.129.16/',
    'https://100.100.100.200/',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
  ])('%s', async (url) => {
    expect(await codeOf('webhooks.create', { url, kinds: ['session_ended'] })).toBe(
      'webhook_url_refused',
    );
  });

  test('private addresses only without WEBHOOK_ALLOW_PRIVATE', async () => {
    const lenient = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: '1' } });
    const { mutate } = createAdminClient(lenient);
    const kinds = ['session_ended'];
    expect((await mutate('webhooks.create', { url: 'https://10.0.0.1/', kinds })).status).toBe(200);
    expect((await mutate('webhooks.create', { url: 'http://localhost/', kinds })).status).toBe(200);
    expect((await mutate('webhooks.create', { url: 'http://10.0.0.1/', kinds })).status).toBe(400);
    await lenient.close();
  });

  test('an update of another version', async () => {
    const { webhook_id } = await create();
    const update = { webhook_id, expected_version: 1, kinds: ['session_created'] };
    expect(await codeOf('webhooks.update', update)).toBeUndefined();
    expect(await codeOf('webhooks.update', update)).toBe('webhook_version_conflict');
  });

  test('an unknown webhook', async () => {
    expect(await codeOf('webhooks.disable', { webhook_id: randomUUID() })).toBe(
      'webhook_not_found',
    );
  });

  test('a caller without webhook:manage, and one who is narrowed to sandboxes', async () => {
    const viewer = createAdminClient(service, { permissions: ['session:*', 'key:manage'] });
    expect((await viewer.query('webhooks.list')).error.error_code).toBe('insufficient_permissions');
  });

  test('the twenty-first webhook', async () => {
    const other = await startTestService();
    const { mutate } = createAdminClient(other);
    const input = { url: URL_OF_TESTS, kinds: ['session_ended'] };
    const made = await Promise.all(
      Array.from({ length: 21 }, () => mutate('webhooks.create', input)),
    );
    expect(made.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(made.find(({ error }) => error)?.error.error_code).toBe('too_many_webhooks');
    await other.close();
  });
});

test('keeps the previous secret until the end of the overlap', async () => {
  const first = await create();
  const { webhook_id } = first;
  const { data } = await admin.mutate('webhooks.rotateSecret', { webhook_id, overlap_seconds: 60 });
  expect(data.secret).not.toBe(first.secret);
  expect(data.secrets).toEqual([
    { created: expect.any(String) },
    { created: expect.any(String), expires: expect.any(String) },
  ]);
  const once = await admin.mutate('webhooks.rotateSecret', { webhook_id, overlap_seconds: 0 });
  expect(once.data.secrets).toHaveLength(1);
});

/** Puts deliveries of one session into the database, the first one ended. */
const addDeliveries = async (endpointId: string): Promise<string[]> => {
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  const { prisma } = service.database;
  const row = { endpointId, subject: '{"type":"duel"}', events: [], eventCount: 1 };
  await prisma.webhookDelivery.createMany({
    data: ids.map((deliveryId, index) => ({
      ...row,
      deliveryId,
      position: index + 1,
      status: index === 0 ? 'delivered' : 'pending',
      nextAttemptAt: index === 1 ? new Date('2100-01-01') : null,
      endedAt: index === 0 ? new Date() : null,
      createdAt: new Date(),
    })),
  });
  await prisma.webhookEndpoint.update({ where: { endpointId }, data: { pending: 2 } });
  return ids;
};

test('lists deliveries newest first, in pages', async () => {
  const { webhook_id } = await create();
  const ids = await addDeliveries(webhook_id);
  const first = await admin.query('webhooks.listDeliveries', { webhook_id, page_size: 2 });
  const { cursor } = first.data.page_meta as { cursor: string };
  const last = await admin.query('webhooks.listDeliveries', { webhook_id, page_size: 2, cursor });
  const pages = [first.data.deliveries, last.data.deliveries] as { delivery_id: string }[][];
  expect(pages.flat().map((row) => row.delivery_id)).toEqual(ids.toReversed());
  const ended = await admin.query('webhooks.listDeliveries', { webhook_id, status: 'delivered' });
  expect(ended.data.deliveries).toMatchObject([{ delivery_id: ids[0], subject: { type: 'duel' } }]);
});

test('lets a delivery that is sent again wait for the earlier one of its session', async () => {
  const { webhook_id } = await create();
  const [delivery_id = ''] = await addDeliveries(webhook_id);
  const { data } = await admin.mutate('webhooks.resend', { webhook_id, delivery_id });
  expect(data.pending_deliveries).toBe(3);
  const where = { deliveryId: delivery_id };
  const row = await service.database.prisma.webhookDelivery.findUnique({ where });
  expect(row).toMatchObject({ status: 'pending', attempts: 0, nextAttemptAt: null });
  expect(await codeOf('webhooks.resend', { webhook_id, delivery_id: randomUUID() })).toBe(
    'delivery_not_found',
  );
});

test('ends what is pending when it resumes from a moment', async () => {
  const { webhook_id } = await create();
  await addDeliveries(webhook_id);
  await admin.mutate('webhooks.disable', { webhook_id });
  const from = '2026-01-01T00:00:00.000Z';
  const { data } = await admin.mutate('webhooks.resume', { webhook_id, from });
  expect(data.pending_deliveries).toBe(0);
  expect(data.disabled).toBeUndefined();
  const { prisma } = service.database;
  const left = await prisma.webhookDelivery.count({
    where: { endpointId: webhook_id, status: 'pending' },
  });
  expect(left).toBe(0);
  const future = { webhook_id, from: '2999-01-01T00:00:00Z' };
  expect(await codeOf('webhooks.resume', future)).toBe('input_invalid');
});

test('deletes a webhook with its deliveries', async () => {
  const { webhook_id } = await create();
  await addDeliveries(webhook_id);
  expect((await admin.mutate('webhooks.delete', { webhook_id })).data).toEqual({ deleted: true });
  const { prisma } = service.database;
  expect(await prisma.webhookDelivery.count({ where: { endpointId: webhook_id } })).toBe(0);
  expect(await codeOf('webhooks.delete', { webhook_id })).toBe('webhook_not_found');
});

test('reports how the receiver responds to a test, which is signed', async () => {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const lenient = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: '1' } });
  const { mutate } = createAdminClient(lenient);
  const input = { url: `http://127.0.0.1:${port}/`, kinds: ['session_ended'] };
  const { webhook_id } = (await mutate('webhooks.create', input)).data;
  const { data } = await mutate('webhooks.test', { webhook_id });
  expect(data).toEqual({ status_code: 418, duration_ms: expect.any(Number) });
  expect(headers[0]?.['webhook-signature']).toMatch(/^v1,/);
  await lenient.close();
  server.close();
});

test('measures the backlog of enabled webhooks', async () => {
  const other = await startTestService();
  const client = createAdminClient(other);
  const input = { url: URL_OF_TESTS, kinds: ['session_ended'] };
  const { webhook_id } = (await client.mutate('webhooks.create', input)).data;
  const { prisma } = other.database;
  const endpointId = String(webhook_id);
  await prisma.webhookDelivery.create({
    data: {
      deliveryId: randomUUID(),
      endpointId,
      position: 1,
      subject: '{}',
      // As after a resume.
      events: [{ occurred_at: new Date(Date.now() - 30 * 86_400_000).toISOString() }],
      eventCount: 1,
      createdAt: new Date(Date.now() - 3_600_000),
    },
  });
  await prisma.webhookEndpoint.update({ where: { endpointId }, data: { pending: 1 } });
  expect(await readMetric(other, 'muster_webhook_pending_deliveries')).toBe(1);
  const age = await readMetric(other, 'muster_webhook_backlog_seconds');
  expect(Math.round(age / 60)).toBe(60);
  await client.mutate('webhooks.disable', { webhook_id });
  expect(await readMetric(other, 'muster_webhook_pending_deliveries')).toBe(0);
  expect(await readMetric(other, 'muster_webhook_backlog_seconds')).toBe(0);
  expect(await readMetric(other, 'muster_webhooks_disabled')).toBe(0);
  await prisma.webhookEndpoint.update({
    where: { endpointId },
    data: { disabledReason: 'failing' },
  });
  expect(await readMetric(other, 'muster_webhooks_disabled')).toBe(1);
  await other.close();
});
