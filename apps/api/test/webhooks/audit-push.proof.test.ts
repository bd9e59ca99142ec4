// Audit records as webhooks push them: in the order of their commits, none missing.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appendAudit } from '../../src/platform/index.ts';
import type { ReceivedEvent, Receiver } from '../../src/webhooks/testing/webhook-receiver.ts';
import { startReceiver } from '../../src/webhooks/testing/webhook-receiver.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { createAdminCaller } from '../admin-caller.ts';
import { openAuditRecord, writeAuditRecord } from '../open-audit-record.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

/** Transactions of other tests on the same server delay the trail. */
const PATIENT = { timeout: 120_000 };
const KINDS = ['audit_recorded'];
const URL_OF_TESTS = 'https://siem.example/muster';

let service: TestService;
let admin: AdminCaller;
let receiver: Receiver;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  service = await startTestService({ env: { WEBHOOK_ALLOW_PRIVATE: '1' } });
  admin = await callAs();
});
afterAll(() => service.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await stopDispatching();
  receiver.close();
  await service.database.prisma.webhookEndpoint.deleteMany();
});

const callAs = async (permissions?: string[]): Promise<AdminCaller> => {
  const token = permissions && { sub: 'manager', permissions };
  const { authorization = '' } = await service.headers(token);
  return createAdminCaller(service.baseUrl, { authorization });
};

const subscribe = async (): Promise<string> => {
  const input = { url: receiver.url, kinds: KINDS };
  const { data } = await admin.mutate<{ webhook_id: string; secret: string }>(
    'webhooks.create',
    input,
  );
  receiver.use(data.secret);
  return data.webhook_id;
};

const startDispatching = () => {
  stops.push(service.startWebhooks());
};

const stopDispatching = async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
};

const append = (action: string, more: object = {}) =>
  appendAudit(
    service.database.prisma,
    { accountId: 'ada', address: '192.0.2.1' },
    { action, target: {}, ...more },
    new Date(),
  );

const recordsOf = (events: readonly ReceivedEvent[]) =>
  events.map(({ detail }) => detail as { audit_id: string; action: string });

/** The actions that were received, without those of other parts of this file. */
const actionsOf = (events: readonly ReceivedEvent[], name: string): string[] =>
  recordsOf(events)
    .map(({ action }) => action)
    .filter((action) => action.startsWith(name));

const untilReceived = (name: string, actions: readonly string[]) =>
  expect.poll(() => actionsOf(receiver.accepted(), name), PATIENT).toEqual(actions);

test('sends records from the creation of the webhook on, as audit.get returns them to a key with audit:view', async () => {
  // The trail has a record once all older transactions of the server have ended, so another webhook receives it first.
  await subscribe();
  startDispatching();
  await append('seen.before');
  await untilReceived('seen', ['seen.before']);
  await service.database.prisma.webhookEndpoint.deleteMany();
  await subscribe();
  const invitation = { name: 'Ada', email: 'ada@example.com', role: 'viewer' };
  await append('seen.first', { reason: 'Season 2', after: { version: 2 } });
  await append('people.seen', { target: { account_id: 'person:ada' }, after: invitation });
  await untilReceived('seen', ['seen.before', 'seen.first']);
  await untilReceived('people', ['people.seen']);
  const reader = await callAs(['audit:view']);
  for (const event of receiver.accepted()) {
    const { audit_id } = event.detail as { audit_id: string };
    const { data } = await reader.query('audit.get', { audit_id });
    expect(event).toMatchObject({ kind: 'audit_recorded', event_id: audit_id });
    expect(event.detail).toEqual(data);
  }
  expect(JSON.stringify(receiver.accepted())).not.toContain('ada@example.com');
});

test('keeps the order of commits, also for a transaction that began before newer records', async () => {
  await subscribe();
  startDispatching();
  const open = await openAuditRecord(service.database, 'order.slow');
  await append('order.quick');
  await open.commit();
  await untilReceived('order', ['order.slow', 'order.quick']);
});

test('sends every record once and in order across restarts, to a receiver that fails', async () => {
  await subscribe();
  const actions = Array.from({ length: 250 }, (_, number) => `restart.${number}`);
  let requests = 0;
  receiver.respond(() => {
    requests += 1;
    return requests === 2 ? 500 : 204;
  });
  for (const [index, action] of actions.entries()) {
    if (index % 100 === 0) startDispatching();
    await append(action);
    if (index % 100 === 60) await stopDispatching();
  }
  startDispatching();
  await untilReceived('restart', actions);
  const sizes = receiver.requests.map(({ events }) => events.length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
  expect(receiver.mostOpen()).toBe(1);
});

test('misses nothing while it is disabled, and resumes from a time', async () => {
  const webhook_id = await subscribe();
  startDispatching();
  await append('pause.first');
  await untilReceived('pause', ['pause.first']);
  await admin.mutate('webhooks.disable', { webhook_id });
  await append('pause.second');
  await admin.mutate('webhooks.enable', { webhook_id });
  await untilReceived('pause', ['pause.first', 'pause.second']);
  const from = new Date(Date.now() - 3_600_000).toISOString();
  await admin.mutate('webhooks.resume', { webhook_id, from });
  await untilReceived('pause', ['pause.first', 'pause.second', 'pause.first', 'pause.second']);
});

/** Changes the stored position, as a restore or a failover to another server does. */
const loseCursor = async (webhook_id: string): Promise<void> => {
  const { prisma } = service.database;
  const where = { endpointId: webhook_id };
  const { cursor } = await prisma.webhookEndpoint.findUniqueOrThrow({ where });
  const { at, position } = cursor as { at: number; position: string };
  const nodes = JSON.parse(Buffer.from(position, 'base64url').toString());
  const foreign = nodes.map((node: object) => ({ ...node, origin: '1-00000001' }));
  const lost = Buffer.from(JSON.stringify(foreign)).toString('base64url');
  await prisma.webhookEndpoint.update({ where, data: { cursor: { at, position: lost } } });
};

test('sends the last hour again after a restore, where the position has no meaning', async () => {
  const webhook_id = await subscribe();
  startDispatching();
  const received = () => actionsOf(receiver.accepted(), 'restored');
  await append('restored.one');
  await expect.poll(received, PATIENT).toEqual(['restored.one']);
  await stopDispatching();
  await loseCursor(webhook_id);
  await append('restored.two');
  startDispatching();
  await expect.poll(received, PATIENT).toEqual(['restored.one', 'restored.one', 'restored.two']);
});

test('misses no record of a transaction that was open for hours before a failover', async () => {
  const webhook_id = await subscribe();
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  await admin.mutate('webhooks.resume', { webhook_id, from: ago(5).toISOString() });
  startDispatching();
  await writeAuditRecord(service.database.prisma, 'held.first', ago(4));
  await untilReceived('held', ['held.first']);
  const open = await openAuditRecord(service.database, 'held.slow', ago(3));
  await append('held.quick');
  await stopDispatching();
  await loseCursor(webhook_id);
  await open.commit();
  startDispatching();
  await untilReceived('held', ['held.first', 'held.first', 'held.slow', 'held.quick']);
});

describe('refuses', () => {
  const codeOf = async (caller: AdminCaller, procedure: string, input: object) =>
    (await caller.mutate(procedure, input)).code;

  test('a caller who lacks audit:view to create one or to change its URL', async () => {
    const manager = await callAs(['webhook:manage']);
    const input = { url: URL_OF_TESTS, kinds: KINDS };
    expect(await codeOf(manager, 'webhooks.create', input)).toBe('insufficient_permissions');
    const webhook_id = await subscribe();
    const update = { webhook_id, expected_version: 1, url: URL_OF_TESTS };
    expect(await codeOf(manager, 'webhooks.update', update)).toBe('insufficient_permissions');
    expect(await codeOf(manager, 'webhooks.disable', { webhook_id })).toBeUndefined();
    const auditor = await callAs(['webhook:manage', 'audit:view']);
    expect(await codeOf(auditor, 'webhooks.create', input)).toBeUndefined();
  });

  test('audit records together with events, and a change between them', async () => {
    const both = { url: URL_OF_TESTS, kinds: [...KINDS, 'session_ended'] };
    expect(await codeOf(admin, 'webhooks.create', both)).toBe('input_invalid');
    const webhook_id = await subscribe();
    const update = { webhook_id, expected_version: 1, kinds: ['session_ended'] };
    expect(await codeOf(admin, 'webhooks.update', update)).toBe('input_invalid');
    expect(await codeOf(admin, 'webhooks.update', { ...update, webhook_id: randomUUID() })).toBe(
      'webhook_not_found',
    );
  });

  test('the kind in the feed, which has no audit records', async () => {
    expect((await admin.query('events.list', { kinds: KINDS })).code).toBe('input_invalid');
  });
});
