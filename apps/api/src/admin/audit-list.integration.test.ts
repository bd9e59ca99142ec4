import { randomUUID } from 'node:crypto';
import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explainScans } from '../catalogue/testing/explain.ts';
import { appendAudit } from '../platform/audit-trail.ts';
import type { AuditFilter, AuditPosition } from './audit-list-store.ts';
import { createAuditStore, listStatement } from './audit-list-store.ts';
import type { AuditView, AuditViewer } from './audit-router.ts';
import { createAuditService } from './audit-router.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ statementTimeoutMs: 60_000 });
});
afterAll(() => database.close());

const LIVE = '0196b8a0-0000-7000-8000-000000000001';
const TEST = '0196b8a0-0000-7000-8000-000000000002';
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

const append = (accountId: string, action: string, minute: number, more: object = {}) =>
  appendAudit(
    database.prisma,
    { accountId, requestId: 'request-1', address: '192.0.2.1' },
    { action, target: { item_id: `item-${minute}` }, ...more },
    at(minute),
  );

const ALL: AuditViewer = { accountId: 'root', seesPeople: true };
/** May see one sandbox. */
const NARROWED: AuditViewer = { accountId: 'bob', sandboxIds: [LIVE], seesPeople: false };

const openService = () => createAuditService(createAuditStore(database));

const listAll = async (filter: AuditFilter, pageSize = 50, viewer = ALL) => {
  const { list } = openService();
  const found: AuditView[] = [];
  let after: AuditPosition | null = null;
  do {
    const page = await list(filter, after, pageSize, viewer);
    found.push(...page.records);
    after = page.next;
  } while (after);
  return found;
};
const targetsOf = async (filter: AuditFilter) =>
  (await listAll(filter)).map(({ target }) => target.item_id);

describe('a handful of records', () => {
  beforeAll(async () => {
    await append('ada', 'items.update', 1, { sandboxId: LIVE, reason: 'Balance' });
    await append('ada', 'items.delete', 2, { sandboxId: TEST, before: { version: 1 } });
    await append('bob', 'items.update', 3, { sandboxId: LIVE, after: { version: 2 } });
    await append('bob', 'sessions.end', 4, { target: { item_id: '100%_"quoted"\\' } });
    for (const _ of [1, 2, 3]) await append('eve', 'keys.create', 5);
  });

  test('list the accounts and actions for filters', async () => {
    const { listChoices } = openService();
    expect(await listChoices(ALL)).toEqual({
      account_ids: ['ada', 'bob', 'eve'],
      actions: ['items.delete', 'items.update', 'keys.create', 'sessions.end'],
    });
  });

  test('can be read by id', async () => {
    const [first] = await listAll({});
    const { get } = openService();
    expect(await get(first?.audit_id ?? '', ALL)).toEqual(first);
    await expect(get(LIVE, ALL)).rejects.toMatchObject({ code: 'audit_record_not_found' });
  });

  test('are listed newest first, without absent members', async () => {
    const found = await listAll({});
    expect(found.map(({ occurred_at }) => occurred_at)).toEqual(
      [5, 5, 5, 4, 3, 2, 1].map((minute) => at(minute).toISOString()),
    );
    expect(found.at(-1)).toEqual({
      audit_id: expect.any(String),
      occurred_at: '2026-01-01T00:01:00.000Z',
      account_id: 'ada',
      action: 'items.update',
      sandbox_id: LIVE,
      target: { item_id: 'item-1' },
      target_name: null,
      reason: 'Balance',
      request_id: 'request-1',
      address: '192.0.2.1',
    });
  });

  test('pages contain each record once, including records of the same time', async () => {
    for (const pageSize of [1, 2, 3, 7]) {
      expect(await listAll({}, pageSize)).toEqual(await listAll({}));
    }
  });

  test('are filtered by account, action, sandbox and period, combined', async () => {
    expect(await targetsOf({ accountId: 'ada' })).toEqual(['item-2', 'item-1']);
    expect(await targetsOf({ action: 'items.update' })).toEqual(['item-3', 'item-1']);
    expect(await targetsOf({ sandboxId: LIVE })).toEqual(['item-3', 'item-1']);
    expect(await targetsOf({ from: at(2), to: at(4) })).toEqual(['item-3', 'item-2']);
    expect(await targetsOf({ sandboxId: LIVE, accountId: 'ada' })).toEqual(['item-1']);
  });

  test('show a narrowed viewer only records of the own sandboxes and account, with every filter', async () => {
    const seen = await listAll({}, 50, NARROWED);
    expect(seen.map(({ account_id, action }) => [account_id, action])).toEqual([
      ['bob', 'sessions.end'],
      ['bob', 'items.update'],
      ['ada', 'items.update'],
    ]);
    expect(await listAll({}, 1, NARROWED)).toEqual(seen);
    expect(await listAll({ sandboxId: TEST }, 50, NARROWED)).toEqual([]);
    expect(await listAll({ accountId: 'eve' }, 50, NARROWED)).toEqual([]);
    const { get, listChoices } = openService();
    for (const { audit_id } of await listAll({})) {
      const shown = seen.find((record) => record.audit_id === audit_id);
      if (shown) expect(await get(audit_id, NARROWED)).toEqual(shown);
      else {
        const code = 'audit_record_not_found';
        await expect(get(audit_id, NARROWED)).rejects.toMatchObject({ code });
      }
    }
    expect(await listChoices(NARROWED)).toEqual({
      account_ids: ['ada', 'bob'],
      actions: ['items.update', 'sessions.end'],
    });
  });

  test('show a narrowed viewer no address, e-mail, name or sandbox of others', async () => {
    const viewer = { ...NARROWED, accountId: 'nan' };
    const [email, name] = ['someone@muster.example', 'Someone'];
    const source = { source_sandbox_id: TEST, source_head_seq: 7 };
    await append('ada', 'changeSets.promote', 6, { sandboxId: LIVE, after: source });
    await append('nan', 'people.invite', 7, {
      target: { invitation_id: 'x' },
      after: { email, name, sandbox_ids: [TEST, LIVE] },
    });
    await append('ada', 'people.setRole', 8, {
      target: { account_id: 'nan' },
      after: { role: 'editor', sandbox_ids: [LIVE] },
    });
    await append('ada', 'people.setRole', 9, { target: { account_id: 'other' }, after: { email } });
    await append('nan', 'items.update', 10, { sandboxId: TEST });
    const seen = await listAll({ from: at(6) }, 50, viewer);
    expect(seen.map(({ action, address, after }) => [action, address, after])).toEqual([
      ['items.update', '192.0.2.1', undefined],
      ['people.setRole', undefined, { role: 'editor', sandbox_ids: [LIVE] }],
      ['people.invite', '192.0.2.1', { sandbox_ids: [LIVE] }],
      ['changeSets.promote', undefined, { source_head_seq: 7 }],
    ]);
    expect(JSON.stringify(seen)).not.toMatch(new RegExp([TEST, email, name].join('|')));
    await database.prisma.auditRecord.deleteMany({ where: { occurredAt: { gte: at(6) } } });
  });

  test('are found by a part of the target, which has no wildcards', async () => {
    expect(await targetsOf({ target: 'item-2' })).toEqual(['item-2']);
    expect(await targetsOf({ target: '%_"quoted"\\' })).toEqual(['100%_"quoted"\\']);
    expect(await targetsOf({ target: 'item%2' })).toEqual([]);
  });

  test('are found by the UUID of the target in any form, and by an id that looks like a UUID', async () => {
    const [item_id, bare] = [randomUUID(), randomUUID().replaceAll('-', '').toUpperCase()];
    await append('ada', 'items.update', 20, { target: { item_id } });
    await append('ada', 'sessions.end', 21, { target: { item_id: bare } });
    const digits = item_id.replaceAll('-', '');
    for (const target of [item_id, item_id.toUpperCase(), digits, digits.toUpperCase()]) {
      expect(await targetsOf({ target })).toEqual([item_id]);
    }
    expect(await targetsOf({ target: bare })).toEqual([bare]);
  });
});

describe('records of a thousand targets each', () => {
  const since = at(100);
  const ids = Array.from({ length: 1_000 }, () => uuidv7());
  const RECORDS = 120;
  beforeAll(async () => {
    for (let minute = 100; minute < 100 + RECORDS; minute += 1) {
      const target = { item_ids: ids, minute };
      await append('bulk', 'items.bulk', minute, {
        sandboxId: LIVE,
        target,
        after: { count: 1_000 },
      });
    }
  });
  afterAll(() => database.prisma.auditRecord.deleteMany({ where: { occurredAt: { gte: since } } }));

  test.each([
    ['', {}],
    ['of a narrowed viewer ', { scope: { sandboxIds: [LIVE], accountId: 'bob' } }],
  ])('a list %sreads at most one record beyond the byte limit of a page', async (_, filter) => {
    const { list } = createAuditStore(database);
    const found = await list({ ...filter, from: since }, null, 201);
    expect(found).toHaveLength(RECORDS);
    const { length } = JSON.stringify(found);
    expect(length).toBeGreaterThan(2 * 1_048_576);
    expect(length).toBeLessThan(2 * 1_048_576 + 100_000);
  });

  test('are each listed once, on pages of bounded bytes', async () => {
    const { list } = openService();
    const minutes: unknown[] = [];
    let pages = 0;
    let after: AuditPosition | null = null;
    do {
      const page = await list({ from: since }, after, 200, ALL);
      minutes.push(...page.records.map(({ target }) => target.minute));
      after = page.next;
      pages += 1;
    } while (after);
    expect(minutes).toEqual(Array.from({ length: RECORDS }, (_, index) => 99 + RECORDS - index));
    expect(pages).toBe(3);
  });

  test('list the accounts and actions for filters, including those beyond one page', async () => {
    await append('bob', 'sessions.end', 300);
    expect(await openService().listChoices({ ...NARROWED, accountId: 'bob' })).toEqual({
      account_ids: ['ada', 'bob', 'bulk'],
      actions: ['items.bulk', 'items.update', 'sessions.end'],
    });
  });
});

describe('50,000 records', () => {
  beforeAll(async () => {
    await database.pool.query(
      `INSERT INTO audit_record (audit_id, occurred_at, account_id, action, sandbox_id, target)
       SELECT gen_random_uuid(), timestamptz '2025-01-01Z' + n * interval '1 minute', 'account-' || n % 500,
         'action.' || n % 40, CASE WHEN n % 10 < 8 THEN $1::uuid ELSE $2::uuid END, json_build_object('item_id', gen_random_uuid())
       FROM generate_series(1, 50000) n`,
      [LIVE, TEST],
    );
    await database.pool.query('VACUUM ANALYZE audit_record');
  });

  test.each<[string, AuditFilter]>([
    ['nothing', {}],
    ['an account', { accountId: 'account-7' }],
    ['an action', { action: 'action.7' }],
    ['a sandbox', { sandboxId: LIVE }],
    ['a period', { from: new Date('2025-01-10Z'), to: new Date('2025-01-20Z') }],
    ['an account and a period', { accountId: 'account-7', from: new Date('2025-01-10Z') }],
  ])('a page filtered by %s reads few rows beyond its own', async (_, filter) => {
    const after = { occurredAt: new Date('2025-01-15Z'), auditId: uuidv7() };
    const statement = { name: '', ...listStatement(filter, after, 51) };
    for (const scan of await explainScans(database, toTexts(statement), 'custom')) {
      expect(scan.type).not.toBe('Seq Scan');
      expect(scan.rowsRead).toBeLessThanOrEqual(150);
    }
  });

  test('a page of a narrowed viewer reads few rows beyond its own', async () => {
    const after = { occurredAt: new Date('2025-01-15Z'), auditId: uuidv7() };
    const scope = { sandboxIds: [LIVE], accountId: uuidv7() };
    const statement = { name: '', ...listStatement({ scope }, after, 51) };
    for (const scan of await explainScans(database, toTexts(statement), 'custom')) {
      expect(scan.type).not.toBe('Seq Scan');
      expect(scan.rowsRead).toBeLessThanOrEqual(150);
    }
  });

  test('a target is found by its index', async () => {
    const { rows } = await database.pool.query(
      `SELECT target->>'item_id' AS id FROM audit_record WHERE account_id = 'account-99' LIMIT 1`,
    );
    const statement = { name: '', ...listStatement({ target: rows[0].id }, null, 51) };
    const scans = await explainScans(database, toTexts(statement), 'custom');
    expect(scans).toContainEqual(
      expect.objectContaining({ index: 'audit_record_target_contains' }),
    );
  });
});

const toTexts = <S extends { values: unknown[] }>(statement: S): S => ({
  ...statement,
  values: statement.values.map((value) => (value instanceof Date ? value.toISOString() : value)),
});
