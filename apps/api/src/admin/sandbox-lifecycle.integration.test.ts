// Archiving, deleting and purging sandboxes over HTTP, for admins and readers of the public histories.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AdminCaller } from '../../test/admin-caller.ts';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import { createSandboxPurge, createSandboxPurgeStore } from '../catalogue/index.ts';

const DAY_MS = 24 * 60 * 60_000;
const KEPT_DAYS = 30;
const daysFromNow = (days: number) => () => new Date(Date.now() + days * DAY_MS);

let service: TestService;
let admin: AdminCaller;
beforeAll(async () => {
  service = await startTestService({ env: { SANDBOX_RETENTION_DAYS: String(KEPT_DAYS) } });
  admin = await callerWith('*');
});
afterAll(() => service.close());

const callerWith = async (...permissions: string[]) =>
  createAdminCaller(service.baseUrl, {
    authorization: `Bearer ${await service.signToken({ permissions })}`,
  });

/** A sandbox with one Item, renamed once. */
const addSandbox = async () => {
  const sandbox_id = randomUUID();
  const name = `Season ${sandbox_id}`;
  await admin.mutate('sandboxes.create', { sandbox_id, name });
  const { data } = await admin.mutate<{ item_id: string }>('items.create', {
    sandbox_id,
    name: 'Sword',
    item_type: 'unit',
  });
  const edit = { sandbox_id, item_id: data.item_id };
  await admin.mutate('items.update', { ...edit, expected_version: 1, name: 'Blade' });
  return { ...edit, name };
};

const idsIn = async (status?: string, caller = admin): Promise<string[]> => {
  const { data } = await caller.query<{ sandboxes: { sandbox_id: string }[] }>('sandboxes.list', {
    page_size: 200,
    status,
  });
  return data.sandboxes.map(({ sandbox_id }) => sandbox_id);
};

const readTotal = async (sandboxId: string): Promise<[number, number]> => {
  const path = `/v1/history/sandbox/${sandboxId}/item/`;
  const response = await fetch(service.baseUrl + path, { headers: await service.headers() });
  const body = (await response.json()) as { page_meta: { total: number } };
  return [response.status, body.page_meta.total];
};

const readAudit = async (sandboxId: string) =>
  service.database.prisma.auditRecord.findMany({
    where: { sandboxId, action: { startsWith: 'sandboxes.' } },
    orderBy: { auditId: 'asc' },
  });

const purge = (days: number, options: { keptDays?: number | undefined } = {}) => {
  const purged: { sandboxId: string; rows: number }[] = [];
  const { run } = createSandboxPurge({
    store: createSandboxPurgeStore(service.database),
    keptDays: KEPT_DAYS,
    ...options,
    now: daysFromNow(days),
    onPurged: (one) => purged.push(one),
    onFailure: (error) => {
      throw error;
    },
  });
  return { run, purged };
};

describe('an archived sandbox', () => {
  test('is listed only as archived, and its histories are unchanged', async () => {
    const { sandbox_id } = await addSandbox();
    const archived = await admin.mutate('sandboxes.archive', { sandbox_id });
    expect(archived.data).toMatchObject({ sandbox_id, archived: expect.any(String) });
    expect(await idsIn()).not.toContain(sandbox_id);
    expect(await idsIn('archived')).toContain(sandbox_id);
    expect(await readTotal(sandbox_id)).toEqual([200, 2]);
    const { data } = await admin.query('versions.list', { sandbox_id });
    expect(data).toMatchObject({ versions: [{ name: 'Blade' }, { name: 'Sword' }] });
    expect((await admin.query('sandboxes.get', { sandbox_id })).data).toMatchObject({
      head_seq: 2,
    });
  });

  test('refuses edits, bulk edits, imports and promotions until it leaves the archive', async () => {
    const { sandbox_id, item_id, name } = await addSandbox();
    const source = await addSandbox();
    await admin.mutate('sandboxes.archive', { sandbox_id });
    const item = { item_id, expected_version: 2 };
    const edits: [string, object][] = [
      ['items.create', { name: 'Axe', item_type: 'unit' }],
      ['items.update', { ...item, name: 'Axe' }],
      ['items.delete', { ...item, confirm_sandbox_name: name }],
      ['items.bulk', { operations: [{ operation: 'delete', ...item }] }],
      [
        'changeSets.promote',
        {
          source_sandbox_id: source.sandbox_id,
          kind: 'item',
          record_ids: [source.item_id],
        },
      ],
    ];
    for (const [procedure, input] of edits) {
      const { code } = await admin.mutate(procedure, { sandbox_id, ...input });
      expect([procedure, code]).toEqual([procedure, 'sandbox_archived']);
    }
    await admin.mutate('sandboxes.unarchive', { sandbox_id });
    const edit = { sandbox_id, ...item, name: 'Axe' };
    expect((await admin.mutate('items.update', edit)).status).toBe(200);
    expect(await idsIn()).toContain(sandbox_id);
  });

  test('is found only by a search inside it', async () => {
    const { sandbox_id, item_id } = await addSandbox();
    const find = async (input: object) => {
      const { data } = await admin.query<{ records: unknown[] }>('search.find', {
        query: item_id,
        ...input,
      });
      return data.records.length;
    };
    expect(await find({})).toBe(1);
    await admin.mutate('sandboxes.archive', { sandbox_id });
    expect([await find({}), await find({ sandbox_id })]).toEqual([0, 1]);
  });

  test('requires its name as confirmation when it is protected', async () => {
    const { sandbox_id, name } = await addSandbox();
    await admin.mutate('sandboxes.update', { sandbox_id, protected: true });
    const archive = (input: object) => admin.mutate('sandboxes.archive', { sandbox_id, ...input });
    expect((await archive({})).code).toBe('sandbox_confirmation_required');
    expect((await archive({ confirm_sandbox_name: name })).status).toBe(200);
  });
});

describe('a deleted sandbox', () => {
  test('requires its name as confirmation, and the permission to administer it', async () => {
    const { sandbox_id, name } = await addSandbox();
    const typed = { sandbox_id, confirm_sandbox_name: name };
    const editor = await callerWith(`sandbox:${sandbox_id}:config:edit`);
    const narrowed = await callerWith(`sandbox:${sandbox_id}:*`);
    const attempt = async (caller: AdminCaller, input: object) =>
      (await caller.mutate('sandboxes.delete', input)).code;
    expect(await attempt(editor, typed)).toBe('insufficient_permissions');
    expect(await attempt(narrowed, { sandbox_id })).toBe('sandbox_confirmation_required');
    const wrong = { sandbox_id, confirm_sandbox_name: name.toUpperCase() };
    expect(await attempt(narrowed, wrong)).toBe('sandbox_confirmation_required');
    await admin.mutate('sandboxes.update', { sandbox_id, protected: true });
    expect(await attempt(narrowed, typed)).toBe('sandbox_protected');
    const lifted = { ...typed, protected: false };
    await narrowed.mutate('sandboxes.update', lifted);
    expect(await attempt(narrowed, typed)).toBeUndefined();
    expect(await attempt(narrowed, typed)).toBe('sandbox_not_found');
  });

  test('is not found, while its public history still works', async () => {
    const { sandbox_id, item_id, name } = await addSandbox();
    await admin.mutate('sandboxes.delete', { sandbox_id, confirm_sandbox_name: name });
    expect([await idsIn(), await idsIn('archived')].flat()).not.toContain(sandbox_id);
    const edit = { sandbox_id, item_id, expected_version: 2, name: 'Axe' };
    const codes = [
      await admin.query('sandboxes.get', { sandbox_id }),
      await admin.query('overview.get', { sandbox_id }),
      await admin.mutate('items.update', edit),
      await admin.mutate('sandboxes.update', { sandbox_id, name: 'Again' }),
      await admin.mutate('sandboxes.archive', { sandbox_id }),
    ].map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['sandbox_not_found']));
    const { data } = await admin.query('system.get');
    expect(JSON.stringify(data)).not.toContain(sandbox_id);
    expect(await readTotal(sandbox_id)).toEqual([200, 2]);
  });

  test('refuses every read of its records: by id, in lists, in searches and in comparisons', async () => {
    const { sandbox_id, item_id, name } = await addSandbox();
    const other = await addSandbox();
    const xp = { sandbox_id, name: 'Levels', xp_thresholds: [{ level: 1, xp: 0 }] };
    const { xp_id } = (await admin.mutate<{ xp_id: string }>('xp.create', xp)).data;
    const pair = { sandbox_id: other.sandbox_id, source_sandbox_id: sandbox_id, kind: 'item' };
    const compared = { ...pair, page_size: 1 };
    const page = await admin.query<{ page_meta: { cursor: string } }>('compare.list', compared);
    const { cursor } = page.data.page_meta;
    await admin.mutate('sandboxes.delete', { sandbox_id, confirm_sandbox_name: name });
    const reads: [string, object][] = [
      ['items.get', { sandbox_id, item_id }],
      ['items.list', { sandbox_id }],
      ['xp.get', { sandbox_id, xp_id }],
      ['xp.list', { sandbox_id }],
      ['compare.list', pair],
      ['compare.list', { ...compared, cursor }],
    ];
    for (const [procedure, input] of reads) {
      const { code } = await admin.query(procedure, input);
      expect([procedure, code]).toEqual([procedure, 'sandbox_not_found']);
    }
    const search = { query: item_id, sandbox_id };
    expect((await admin.query('search.find', search)).data).toMatchObject({ records: [] });
    await admin.mutate('sandboxes.restore', { sandbox_id });
    expect((await admin.query('items.get', { sandbox_id, item_id })).status).toBe(200);
  });

  test('is listed for its admins with its remaining days, and can be restored', async () => {
    const { sandbox_id, item_id, name } = await addSandbox();
    await admin.mutate('sandboxes.delete', { sandbox_id, confirm_sandbox_name: name });
    expect(await idsIn('deleted')).toContain(sandbox_id);
    expect(await idsIn('deleted', await callerWith('sandbox:config:edit'))).toEqual([]);
    expect(await idsIn('deleted', await callerWith(`sandbox:${sandbox_id}:*`))).toEqual([
      sandbox_id,
    ]);
    const { data } = await admin.query('sandboxes.list', { status: 'deleted' });
    expect(data).toMatchObject({ deleted_kept_days: KEPT_DAYS });
    expect((await admin.mutate('sandboxes.restore', { sandbox_id })).status).toBe(200);
    expect(await idsIn()).toContain(sandbox_id);
    const edit = { sandbox_id, item_id, expected_version: 2, name: 'Axe' };
    expect((await admin.mutate('items.update', edit)).status).toBe(200);
  });

  test('is purged with its history after its retention, and stays in the audit trail', async () => {
    const { sandbox_id, name } = await addSandbox();
    const other = await addSandbox();
    await admin.mutate('sandboxes.delete', { sandbox_id, confirm_sandbox_name: name });
    const early = purge(KEPT_DAYS - 1);
    await early.run();
    expect(early.purged).toEqual([]);
    expect(await readTotal(sandbox_id)).toEqual([200, 2]);
    const late = purge(KEPT_DAYS + 1);
    expect(await late.run()).toBe(true);
    expect(late.purged).toContainEqual({ sandboxId: sandbox_id, rows: 5 });
    expect(await readTotal(sandbox_id)).toEqual([200, 0]);
    expect(await idsIn('deleted')).not.toContain(sandbox_id);
    expect((await admin.mutate('sandboxes.restore', { sandbox_id })).code).toBe(
      'sandbox_not_found',
    );
    for (const table of ['sandbox', 'catalogue_record', 'catalogue_version', 'catalogue_name']) {
      const left = `SELECT FROM ${table} WHERE sandbox_id = $1`;
      const { rowCount } = await service.database.pool.query(left, [sandbox_id]);
      expect([table, rowCount]).toEqual([table, 0]);
    }
    expect((await readAudit(sandbox_id)).map(({ action }) => action)).toEqual([
      'sandboxes.create',
      'sandboxes.delete',
      'sandboxes.purge',
    ]);
    const check = await admin.query('verification.check', { sandbox_id: other.sandbox_id });
    expect(check.data).toMatchObject({ done: true, head_seq: 2 });
    expect(check.data).not.toHaveProperty('broken');
  });

  test('is purged at once by an owner who types its name, and not by an admin', async () => {
    const { sandbox_id, name } = await addSandbox();
    const typed = { sandbox_id, confirm_sandbox_name: name };
    const attempt = async (caller: AdminCaller, input: object) =>
      (await caller.mutate('sandboxes.purge', input)).code;
    expect(await attempt(admin, typed)).toBe('sandbox_not_found');
    await admin.mutate('sandboxes.delete', typed);
    for (const permission of ['sandbox:*', `sandbox:${sandbox_id}:*`]) {
      expect(await attempt(await callerWith(permission), typed)).toBe('insufficient_permissions');
    }
    expect(await attempt(admin, { sandbox_id })).toBe('sandbox_confirmation_required');
    expect(await readTotal(sandbox_id)).toEqual([200, 2]);
    expect(await attempt(admin, typed)).toBeUndefined();
    expect(await readTotal(sandbox_id)).toEqual([200, 0]);
    expect(await idsIn('deleted')).not.toContain(sandbox_id);
    expect(await attempt(admin, typed)).toBe('sandbox_not_found');
    expect((await admin.mutate('sandboxes.restore', { sandbox_id })).code).toBe(
      'sandbox_not_found',
    );
    const { accountId, before } = (await readAudit(sandbox_id)).at(-1) ?? {};
    expect({ accountId, before }).toEqual({
      accountId: 'tester',
      before: { name, head_seq: 2, head_hash: expect.any(String) },
    });
    const next = purge(0, { keptDays: undefined });
    await next.run();
    expect(next.purged.map(({ sandboxId }) => sandboxId)).toContain(sandbox_id);
  });

  test('cannot be restored once its purge has begun, and the next purge continues it', async () => {
    const { sandbox_id, name } = await addSandbox();
    await admin.mutate('sandboxes.delete', { sandbox_id, confirm_sandbox_name: name });
    const store = createSandboxPurgeStore(service.database);
    const before = daysFromNow(1)();
    expect(await store.begin(sandbox_id, before, before)).toBe(true);
    expect(await readTotal(sandbox_id)).toEqual([200, 0]);
    expect((await admin.mutate('sandboxes.restore', { sandbox_id })).code).toBe(
      'sandbox_not_found',
    );
    const next = purge(KEPT_DAYS + 1);
    await next.run();
    expect(next.purged.map(({ sandboxId }) => sandboxId)).toContain(sandbox_id);
  });

  test('is kept for ever with an unlimited retention', async () => {
    const { sandbox_id, name } = await addSandbox();
    await admin.mutate('sandboxes.delete', { sandbox_id, confirm_sandbox_name: name });
    await purge(10_000, { keptDays: undefined }).run();
    expect(await readTotal(sandbox_id)).toEqual([200, 2]);
  });
});

test('writes one audit record with its actor per step, and none for a repeated step', async () => {
  const { sandbox_id, name } = await addSandbox();
  for (const step of [
    'archive',
    'archive',
    'unarchive',
    'unarchive',
    'delete',
    'restore',
    'restore',
  ]) {
    const typed = step === 'archive' || step === 'delete' ? { confirm_sandbox_name: name } : {};
    await admin.mutate(`sandboxes.${step}`, { sandbox_id, ...typed });
  }
  const [, ...records] = await readAudit(sandbox_id);
  expect(records.map(({ action, before, after }) => ({ action, before, after }))).toEqual(
    [
      ['archive', { archived: false, deleted: false }, { archived: true, deleted: false }],
      ['unarchive', { archived: true, deleted: false }, { archived: false, deleted: false }],
      ['delete', { archived: false, deleted: false }, { archived: false, deleted: true }],
      ['restore', { archived: false, deleted: true }, { archived: false, deleted: false }],
    ].map(([step, before, after]) => ({
      action: `sandboxes.${step}`,
      before: { name, ...(before as object) },
      after: { name, ...(after as object) },
    })),
  );
  expect(records.every(({ accountId }) => accountId.length > 0)).toBe(true);
});
