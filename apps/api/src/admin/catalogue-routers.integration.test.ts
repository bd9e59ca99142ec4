import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCatalogue } from '../catalogue/testing/open-test-catalogue.ts';
import { openTestCatalogue } from '../catalogue/testing/open-test-catalogue.ts';
import { createItemsRouter, createXpRouter } from './records-router.ts';
import { createSandboxesRouter } from './sandboxes-router.ts';
import type { AdminCall } from './testing/admin-client.ts';
import { createCallers } from './testing/admin-client.ts';
import { router } from './trpc.ts';

let opened: TestCatalogue;
let sandbox_id: string;
beforeAll(async () => {
  opened = await openTestCatalogue();
  sandbox_id = await opened.addSandbox();
});
afterAll(() => opened.close());

const callWith =
  (...permissions: string[]): AdminCall =>
  (...call) => {
    const { catalogue } = opened;
    const routers = {
      items: createItemsRouter(catalogue),
      xp: createXpRouter(catalogue),
      sandboxes: createSandboxesRouter(catalogue),
    };
    return createCallers(router(routers))(...permissions)(...call);
  };

const call = callWith('*');
const item = (more: object = {}) => ({ sandbox_id, name: 'Sword', item_type: 'unit', ...more });
const xp = (more: object = {}) => ({ sandbox_id, name: 'Levels', xp_thresholds: [], ...more });

test('an Item is created, edited, deleted, restored, read and listed', async () => {
  const { data: created } = await call('items.create', item({ legacy_item_id: 4 }));
  expect(created).toMatchObject({ legacy_item_id: 4, tags: [], custom_data: {}, version: 1 });
  const { item_id, transaction_id } = created;
  expect(transaction_id).toMatch(/^[0-9a-f-]{36}$/);
  const edit = { sandbox_id, item_id };
  const tagged = { ...edit, expected_version: 1, tags: ['a'], custom_data: { k: 'v' } };
  expect((await call('items.update', tagged)).data).toMatchObject({ version: 2, tags: ['a'] });
  const renamed = await call('items.update', { ...edit, expected_version: 2, name: 'Blade' });
  expect(renamed.data).toMatchObject({ tags: ['a'], custom_data: { k: 'v' }, name: 'Blade' });
  const deleted = await call('items.delete', { ...edit, expected_version: 3, reason: 'Old' });
  expect(deleted.data).toMatchObject({ deleted: true, version: 4 });
  const { data: restored } = await call('items.restore', {
    ...edit,
    expected_version: 4,
    version_id: created.version_id,
  });
  expect(restored).toMatchObject({ name: 'Sword', version: 5 });
  expect((await call('items.get', edit, 'query')).data).toEqual(restored);
  const { data: page } = await call('items.list', { sandbox_id }, 'query');
  expect(page).toEqual({ records: [restored], page_meta: { page_size: 50, total: 1 } });
});

test('an edit of an Item warns of an Xp table that does not exist or is deleted', async () => {
  const { data: table } = await call('xp.create', xp());
  const { xp_id } = table;
  const levels = { level_xp_table_id: xp_id };
  const { data: created } = await call('items.create', item(levels));
  expect(created).not.toHaveProperty('warnings');
  const edit = { sandbox_id, item_id: created.item_id };
  await call('xp.delete', { sandbox_id, xp_id, expected_version: 1 });
  const warnings = [{ field: 'level_xp_table_id', msg: expect.stringContaining(xp_id) }];
  const renamed = await call('items.update', { ...edit, expected_version: 1, name: 'Blade' });
  expect(renamed.data.warnings).toEqual(warnings);
  await call('items.delete', { ...edit, expected_version: 2 });
  const restored = await call('items.restore', { ...edit, expected_version: 3 });
  expect(restored.data.warnings).toEqual(warnings);
  const missing = '00000000-0000-4000-8000-000000000001';
  const other = await call('items.create', item({ level_xp_table_id: missing }));
  expect(other.data.warnings[0].msg).toContain(missing);
});

test('an Xp table is created, edited, deleted, restored, read and listed', async () => {
  const xp_thresholds = [
    { level: 1, xp: 0 },
    { level: 2, xp: 100 },
  ];
  const { data: created } = await call('xp.create', xp({ xp_thresholds }));
  const edit = { sandbox_id, xp_id: created.xp_id };
  const renamed = await call('xp.update', { ...edit, expected_version: 1, name: 'Ranks' });
  expect(renamed.data).toMatchObject({ name: 'Ranks', xp_thresholds, version: 2 });
  await call('xp.delete', { ...edit, expected_version: 2 });
  const { data: restored } = await call('xp.restore', { ...edit, expected_version: 3 });
  expect((await call('xp.get', edit, 'query')).data).toEqual(restored);
  const { data: page } = await call('xp.list', { sandbox_id, name: 'RANK' }, 'query');
  expect(page.records).toEqual([restored]);
});

test('a bulk edit accepts operations with the names of the procedures', async () => {
  const { status, data } = await call('xp.bulk', {
    sandbox_id,
    operations: [
      { operation: 'create', name: 'A', xp_thresholds: [] },
      { operation: 'create', name: 'B', xp_thresholds: [] },
    ],
  });
  expect(status).toBe(200);
  expect(data.records).toMatchObject([{ name: 'A' }, { name: 'B' }]);
  expect(data.records[1].transaction_id).toBe(data.transaction_id);
});

describe('bad input is a 400 that lists every problem', () => {
  test.each([
    ['items.create', { item_type: 'sword', custom_data: { k: '' } }, ['name', 'item_type', 'k']],
    ['items.update', { expected_version: 0, tags: 'x' }, ['item_id', 'expected_version', 'tags']],
    ['xp.create', { name: '', xp_thresholds: [{ level: 1 }] }, ['name', 'xp']],
    ['items.bulk', { operations: [] }, ['operations']],
    ['items.bulk', { operations: [{ operation: 'insert' }] }, ['operation']],
    ['xp.delete', { xp_id: 'x' }, ['xp_id', 'expected_version']],
  ])('%s %j', async (procedure, input, places) => {
    const { status, error } = await call(procedure, { sandbox_id, ...input });
    expect(status).toBe(400);
    expect(error.error_code).toBe('input_invalid');
    const problems: { loc: unknown[] }[] = error.detail;
    expect(problems.map(({ loc }) => loc.at(-1))).toEqual(places);
  });

  test('1,001 operations', async () => {
    const operations = Array.from({ length: 1001 }, () => ({ operation: 'create', ...item() }));
    expect((await call('items.bulk', { sandbox_id, operations })).status).toBe(400);
  });
});

describe('errors contain their code and facts', () => {
  test.each([
    [
      'items.create',
      item({ sandbox_id: '00000000-0000-4000-8000-00000000dead' }),
      404,
      'sandbox_not_found',
    ],
    ['items.delete', { expected_version: 1 }, 404, 'record_not_found'],
  ])('%s %j', async (procedure, input, status, error_code) => {
    const item_id = '00000000-0000-4000-8000-00000000beef';
    const answer = await call(procedure, { sandbox_id, item_id, ...input });
    expect(answer).toMatchObject({ status, error: { error_code } });
  });

  test('a conflict names the current version', async () => {
    const { data } = await call('items.create', item());
    const stale = { sandbox_id, item_id: data.item_id, expected_version: 3, name: 'Axe' };
    expect(await call('items.update', stale)).toMatchObject({
      status: 409,
      error: {
        error_code: 'record_version_conflict',
        current_version: 1,
        current_version_id: data.version_id,
      },
    });
  });
});

describe('permissions', () => {
  const view = () => callWith(`sandbox:${sandbox_id}:config:view`);
  const edit = () => callWith(`sandbox:${sandbox_id}:config:edit`);

  test('lets a viewer of the sandbox read but not write', async () => {
    for (const kind of ['items', 'xp']) {
      expect((await view()(`${kind}.list`, { sandbox_id }, 'query')).status).toBe(200);
      const write = await view()(`${kind}.create`, kind === 'items' ? item() : xp());
      expect(write).toMatchObject({
        status: 403,
        error: { error_code: 'insufficient_permissions' },
      });
    }
  });

  test('lets an editor of a sandbox read and write only there', async () => {
    expect((await edit()('items.list', { sandbox_id }, 'query')).status).toBe(200);
    expect((await edit()('items.create', item())).status).toBe(200);
    const elsewhere = await opened.addSandbox('Elsewhere');
    expect((await edit()('items.create', item({ sandbox_id: elsewhere }))).status).toBe(403);
    expect((await edit()('xp.list', { sandbox_id: elsewhere }, 'query')).status).toBe(403);
    const { data } = await edit()('sandboxes.list', {}, 'query');
    expect(data.sandboxes).toMatchObject([{ sandbox_id }]);
  });

  test('lets only callers with all permissions on sandboxes create one', async () => {
    expect((await edit()('sandboxes.create', { name: 'New' })).status).toBe(403);
    expect(
      (await callWith('sandbox:config:edit')('sandboxes.create', { name: 'New' })).status,
    ).toBe(403);
    const created = await callWith('sandbox:*')('sandboxes.create', { name: 'New' });
    expect(created.data).toMatchObject({
      name: 'New',
      item_versions: 0,
      xp_versions: 0,
      head_seq: 0,
    });
  });
});

describe('a protected sandbox', () => {
  test('allows deletions only by its admins, with its name as confirmation', async () => {
    const sandboxId = await opened.addSandbox('Production');
    const admin = callWith(`sandbox:${sandboxId}:*`);
    const editor = callWith(`sandbox:${sandboxId}:config:edit`);
    const here = { sandbox_id: sandboxId };
    const update = await admin('sandboxes.update', {
      ...here,
      protected: true,
      required_approvals: 0,
    });
    expect(update.data).toMatchObject({ name: 'Production', protected: true });
    const { data } = await editor('xp.create', xp(here));
    const deletion = { ...here, xp_id: data.xp_id, expected_version: 1 };
    const confirmed = { ...deletion, confirm_sandbox_name: 'Production' };
    expect(await editor('xp.delete', confirmed)).toMatchObject({
      status: 403,
      error: { error_code: 'sandbox_protected' },
    });
    expect(await admin('xp.delete', deletion)).toMatchObject({
      status: 409,
      error: { error_code: 'sandbox_confirmation_required', sandbox_name: 'Production' },
    });
    expect((await admin('xp.delete', confirmed)).data).toMatchObject({ deleted: true });
  });

  test('is visible to its viewers and changed only by callers with all permissions on it', async () => {
    const { data } = await callWith(`sandbox:${sandbox_id}:config:view`)(
      'sandboxes.get',
      { sandbox_id },
      'query',
    );
    expect(data).toMatchObject({ sandbox_id, protected: false });
    const edit = callWith(`sandbox:${sandbox_id}:config:edit`);
    expect((await edit('sandboxes.update', { sandbox_id, name: 'X' })).status).toBe(403);
    const elsewhere = { sandbox_id: await opened.addSandbox('Elsewhere') };
    expect((await edit('sandboxes.get', elsewhere, 'query')).status).toBe(403);
    const unknown = { sandbox_id: '00000000-0000-4000-8000-00000000dead' };
    expect((await call('sandboxes.get', unknown, 'query')).status).toBe(404);
    expect((await call('sandboxes.update', { sandbox_id, name: '' })).status).toBe(400);
  });
});
