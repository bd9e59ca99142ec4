// The audit trail as a SIEM follows it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFeedStore } from '../src/events/index.ts';
import { appendAudit } from '../src/platform/index.ts';
import { createAdminCaller } from './admin-caller.ts';
import { openAuditRecord } from './open-audit-record.ts';
import type { TestService, TestToken } from './test-service.ts';
import { startTestService } from './test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

type AuditLine = { audit_id: string; action: string; target: Record<string, unknown> };
type Query = { cursor?: string | undefined; from?: string };

const READER: TestToken = { sub: 'siem', permissions: ['audit:view'] };

const get = async (query: Query, headers: Record<string, string>) => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  const response = await fetch(`${service.baseUrl}/admin/audit/export?${search}`, { headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
};

const read = async (query: Query = {}, credential?: Record<string, string>) => {
  const { status, headers, text } = await get(query, credential ?? (await service.headers(READER)));
  if (status !== 200) throw new Error(text);
  const lines = text.split('\n').slice(0, -1);
  return {
    records: lines.map((line) => JSON.parse(line) as AuditLine),
    cursor: headers.get('muster-cursor') ?? '',
    hasMore: headers.get('muster-more') === 'true',
  };
};

/** Everything that is visible now. Transactions of other tests on this server only delay it. */
const readAll = async (cursor?: string) => {
  const records: AuditLine[] = [];
  for (let next = cursor; ; ) {
    const page = await read({ cursor: next });
    records.push(...page.records);
    if (!page.hasMore) return { records, cursor: page.cursor };
    next = page.cursor;
  }
};

/** The credential of an API key that may read the audit trail. */
const makeKey = async (name: string, more: object = {}) => {
  const { authorization = '' } = await service.headers();
  const admin = createAdminCaller(service.baseUrl, { authorization });
  const account = await admin.mutate<{ account_id: string }>('keys.createAccount', { name });
  const { account_id } = account.data;
  const input = { account_id, name, permissions: ['audit:view'], ...more };
  const { data } = await admin.mutate<{ key: string }>('keys.create', input);
  return { authorization: `Bearer ${data.key}` };
};

const append = (action: string, more: object = {}) =>
  appendAudit(
    service.database.prisma,
    { accountId: 'ada', address: '192.0.2.1' },
    { action, target: {}, ...more },
    new Date(),
  );

const untilSeen = async (action: string, cursor?: string) => {
  await expect
    .poll(async () => (await readAll(cursor)).records.map((record) => record.action), {
      // Transactions of other tests on the same server delay the trail.
      timeout: 60_000,
    })
    .toContain(action);
};

test('sends a record as audit.get returns it, and then only newer ones', async () => {
  await append('first.one', { reason: 'Season 2', after: { version: 2 } });
  await untilSeen('first.one');
  const { records, cursor } = await readAll();
  const record = records.find(({ action }) => action === 'first.one');
  const { authorization = '' } = await service.headers(READER);
  const admin = createAdminCaller(service.baseUrl, { authorization });
  expect((await admin.query('audit.get', { audit_id: record?.audit_id })).data).toEqual(record);
  await append('second.one');
  await untilSeen('second.one', cursor);
  const later = await readAll(cursor);
  expect(later.records.map(({ action }) => action)).toEqual(['second.one']);
});

test('skips no record of a transaction that commits after newer records', async () => {
  const start = await readAll();
  const open = await openAuditRecord(service.database, 'slow.one');
  await append('quick.one');
  const during = await readAll(start.cursor);
  expect(during.records).toEqual([]);
  await open.commit();
  await untilSeen('quick.one', during.cursor);
  const after = await readAll(during.cursor);
  expect(after.records.map(({ action }) => action)).toEqual(['slow.one', 'quick.one']);
});

test('sends every record once in pages of at most 2 MiB and one record', async () => {
  const { cursor } = await readAll();
  const text = 'x'.repeat(700_000);
  for (let n = 0; n < 7; n += 1) await append(`large.${n}`, { after: { text } });
  await untilSeen('large.6', cursor);
  const sizes: number[] = [];
  const seen: string[] = [];
  for (let next = cursor; ; ) {
    const page = await read({ cursor: next });
    if (page.records.length === 0) break;
    sizes.push(page.records.length);
    seen.push(...page.records.map(({ action }) => action));
    next = page.cursor;
  }
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `large.${n}`));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
});

test('begins at a time', async () => {
  await append('early.one');
  await untilSeen('early.one');
  const from = new Date(Date.now() + 3_600_000).toISOString();
  expect((await read({ from })).records).toEqual([]);
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  expect((await read({ from: hourAgo })).records.length).toBeGreaterThan(0);
});

test('says whether there are more records', async () => {
  const from = new Date().toISOString();
  for (let n = 0; n < 501; n += 1) await append('paged');
  await expect.poll(async () => (await read({ from })).records.length).toBe(500);
  expect((await read({ from })).hasMore).toBe(true);
  await untilSeen('paged');
  await expect
    .poll(async () => {
      const { cursor } = await read({ from });
      const { records, hasMore } = await read({ from, cursor });
      return { length: records.length, hasMore };
    })
    .toEqual({ length: 1, hasMore: false });
});

test('sends a narrowed reader only the records of its sandboxes, and moves past the others', async () => {
  const [own, other] = [randomUUID(), randomUUID()];
  const { authorization = '' } = await service.headers();
  const admin = createAdminCaller(service.baseUrl, { authorization });
  await admin.mutate('sandboxes.create', { sandbox_id: own, name: 'Own' });
  await admin.mutate('sandboxes.create', { sandbox_id: other, name: 'Other' });
  const narrowed = await makeKey('Narrowed', { sandbox_ids: [own] });
  await append('before.narrowed');
  await untilSeen('before.narrowed');
  const { cursor } = await readAll();
  await append('items.update', { sandboxId: own, target: { item_id: 'a' } });
  await append('items.delete', { sandboxId: other, target: { item_id: 'b' } });
  await append('keys.create');
  await untilSeen('keys.create', cursor);
  const page = await read({ cursor }, narrowed);
  expect(page.records.map(({ action }) => action)).toEqual(['items.update']);
  expect(page.records[0]).not.toHaveProperty('address');
  expect((await read({ cursor: page.cursor }, narrowed)).records).toEqual([]);
});

test('continues after a restore on another server, whose transaction ids start again', async () => {
  await append('restored.one');
  const { prisma } = service.database;
  // More than one transaction changes.
  await prisma.$executeRaw`
    INSERT INTO audit_record (audit_id, occurred_at, account_id, action, target)
    SELECT gen_random_uuid(), now(), 'ada', 'many', '{}' FROM generate_series(1, 6000)`;
  await prisma.$executeRaw`UPDATE audit_record SET transaction_id = ${2n ** 50n}::bigint`;
  expect((await readAll()).records).toEqual([]);
  await prisma.eventOutboxOrigin.deleteMany();
  await prisma.eventOutboxOrigin.create({ data: { systemIdentifier: 'another' } });
  const store = createFeedStore(service.database);
  const [node = 0] = store.nodes;
  const first = { transactionId: 0, entryId: '00000000-0000-0000-0000-000000000000' };
  await store.prepare((await store.read(node, first, 1)).origin);
  expect((await readAll()).records.map(({ action }) => action)).toContain('restored.one');
});

describe('refuses', () => {
  test('a caller without a credential or without audit:view', async () => {
    expect((await get({}, {})).status).toBe(403);
    const headers = await service.headers({ permissions: ['metrics:view', 'session:*'] });
    expect((await get({}, headers)).status).toBe(403);
  });

  test('a cursor that it did not make, and one of another server', async () => {
    const headers = await service.headers(READER);
    expect(await get({ cursor: 'abc' }, headers)).toMatchObject({
      status: 400,
      text: expect.stringContaining('input_invalid'),
    });
    const { cursor } = await read();
    const [position] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    for (const change of [{ origin: '1-00000001' }, { transactionId: 2 ** 50 }]) {
      const foreign = Buffer.from(JSON.stringify([{ ...position, ...change }]));
      expect(await get({ cursor: foreign.toString('base64url') }, headers)).toMatchObject({
        status: 400,
        text: expect.stringContaining('cursor_expired'),
      });
    }
  });

  test('other paths, methods and queries', async () => {
    const headers = await service.headers(READER);
    const url = `${service.baseUrl}/admin/audit/export`;
    expect((await fetch(`${url}/more`, { headers })).status).toBe(404);
    expect((await fetch(url, { method: 'POST', headers })).status).toBe(405);
    expect((await get({ from: 'yesterday' }, headers)).status).toBe(422);
  });
});

test('an API key follows the trail', async () => {
  const answer = await get({}, await makeKey('SIEM'));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
});
