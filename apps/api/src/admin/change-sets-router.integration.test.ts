// Change sets and edits over HTTP; every answer is compared with the reference.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from './testing/admin-client.ts';
import { createAdminClient } from './testing/admin-client.ts';

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

const addSandbox = async () => {
  const sandbox_id = randomUUID();
  await admin.mutate('sandboxes.create', { sandbox_id, name: 'Live' });
  return { sandbox_id };
};

const item = (name: string) => ({ name, item_type: 'unit' });

test('an edit is listed, planned to be reverted, previewed and reverted', async () => {
  const main = await addSandbox();
  const { data: axe } = await admin.mutate('items.create', { ...main, ...item('Axe') });
  const edit = { ...main, item_id: axe.item_id, expected_version: 1 };
  const { data: edited } = await admin.mutate('items.update', { ...edit, tags: ['sale'] });
  const { transaction_id } = edited;
  const first = await admin.query('edits.list', { ...main, page_size: 1 });
  expect(first.data.edits).toMatchObject([
    { transaction_id, name: 'Axe', changed_fields: ['tags'] },
  ]);
  const { cursor } = first.data.page_meta as { cursor: string };
  const second = await admin.query('edits.list', { ...main, page_size: 1, cursor });
  expect(second.data).toMatchObject({ edits: [{ first_seq: 1 }], page_meta: { page_size: 1 } });
  expect(second.data.page_meta).not.toHaveProperty('cursor');

  const { data: draft } = await admin.mutate('edits.revert', { ...main, transaction_id });
  const set = { ...main, change_set_id: draft.change_set_id };
  const shown = await admin.query('changeSets.preview', set);
  expect(shown.data).toMatchObject({
    operations: [{ record_id: axe.item_id, operation: 'update', changes: [{ before: 'sale' }] }],
    counts: { changes: 1, unchanged: 0, problems: 0 },
    head_seq: 2,
    page_meta: { page_size: 50 },
  });
  const apply = { ...set, expected_revision: draft.revision };
  const applied = await admin.mutate('changeSets.apply', apply);
  expect(applied).toMatchObject({ status: 200, data: { head_seq: 3 } });
  expect((await admin.mutate('changeSets.apply', apply)).data).toEqual(applied.data);
  const listed = await admin.query('edits.list', { ...main, page_size: 2 });
  expect(listed.data.edits).toMatchObject([
    { title: 'Revert: Axe', change_set_id: draft.change_set_id },
    { reverted_by_transaction_id: applied.data.transaction_id },
  ]);
});

test('a change set is made, filled, listed and cancelled', async () => {
  const main = await addSandbox();
  const set = { ...main, change_set_id: randomUUID() };
  const create = () => admin.mutate('changeSets.create', { ...set, title: ' Season 2 ' });
  expect((await create()).data).toMatchObject({ title: 'Season 2', revision: 1 });
  expect(await create()).toMatchObject({ status: 409, error: { error_code: 'change_set_exists' } });
  const item_id = randomUUID();
  const edit = { kind: 'item', item_id, operation: 'update', expected_version: 1 };
  const operations = [
    { ...edit, description: null },
    { kind: 'item', operation: 'create', ...item('Bow') },
  ];
  const add = (more: object) => admin.mutate('changeSets.addOperations', { ...set, ...more });
  expect((await add({ operations })).data).toMatchObject({ operation_count: 2 });
  expect(await add({ operations, expected_revision: 1 })).toMatchObject({
    status: 409,
    error: { error_code: 'change_set_revision_conflict', current_revision: 2 },
  });
  const preview = await admin.query('changeSets.preview', set);
  expect(preview.data).toMatchObject({
    operations: [{ problem: { error_code: 'record_not_found' } }, { name: 'Bow' }],
    counts: { changes: 1, problems: 1 },
  });
  const problems = await admin.query('changeSets.preview', { ...set, only_problems: true });
  expect(problems.data).toMatchObject({
    operations: [{ record_id: item_id }],
    counts: { changes: 1, problems: 1 },
  });
  expect(problems.data).toHaveProperty('operations.length', 1);
  const conflict = await admin.mutate('changeSets.apply', { ...set, expected_revision: 2 });
  expect(conflict).toMatchObject({
    status: 409,
    error: {
      error_code: 'change_set_conflict',
      problems: 1,
      record_id: item_id,
      problem_code: 'record_not_found',
    },
  });
  const records = [{ kind: 'item', record_id: item_id }];
  const removed = await admin.mutate('changeSets.removeOperations', { ...set, records });
  expect(removed.data).toMatchObject({ operation_count: 1 });
  const page = await admin.query('changeSets.list', { ...main, state: 'draft' });
  expect(page.data.change_sets).toEqual([removed.data]);
  expect((await admin.mutate('changeSets.cancel', set)).data).toMatchObject({ state: 'cancelled' });
  const closed = await admin.mutate('changeSets.update', {
    ...set,
    title: 'Late',
    expected_revision: 4,
  });
  expect(closed).toMatchObject({
    status: 409,
    error: { error_code: 'change_set_closed', state: 'cancelled' },
  });
});

test.each([
  ['without a kind', [{ operation: 'create', ...item('Bow') }], 'kind'],
  ['of another kind', [{ kind: 'xp', operation: 'create', ...item('Bow') }], 'item_type'],
  [
    'with a reason of its own',
    [{ kind: 'item', operation: 'create', ...item('Bow'), reason: 'x' }],
    'reason',
  ],
  [
    'without its version',
    [{ kind: 'item', operation: 'delete', item_id: randomUUID() }],
    'expected_version',
  ],
])('an operation %s is refused at its place', async (_, operations, place) => {
  const main = await addSandbox();
  const { data } = await admin.mutate('changeSets.create', { ...main, title: 'Season 2' });
  const set = { ...main, change_set_id: data.change_set_id };
  const refused = await admin.mutate('changeSets.addOperations', { ...set, operations });
  expect(refused).toMatchObject({ status: 400, error: { error_code: 'input_invalid' } });
  expect(JSON.stringify(refused.error)).toContain(`["body","operations",0,"${place}"]`);
});

test('a change of all matching records is computed, and its problems are removed', async () => {
  const main = await addSandbox();
  const add = (name: string, price: string) =>
    admin.mutate('items.create', { ...main, ...item(name), custom_data: { price } });
  await add('Sword', '19.99');
  await add('Gift', 'free');
  await add('Ring', '1');
  const { data } = await admin.mutate('changeSets.create', { ...main, title: 'Sale' });
  const set = { ...main, change_set_id: data.change_set_id };
  const price = 'custom_data.price';
  const matching = {
    kind: 'item',
    filter: { where: { and: [{ field: price, op: 'ne', value: '1' }] } },
    operation: 'update',
    edits: [{ op: 'multiply', field: price, value: '0.8', rounding: { mode: 'nearest' } }],
  };
  const added = await admin.mutate('changeSets.addMatching', { ...set, matching });
  expect(added.data).toMatchObject({ operation_count: 2, revision: 2 });
  const preview = await admin.query('changeSets.preview', set);
  expect(preview.data).toMatchObject({
    operations: [
      { name: 'Gift', problem: { desc: 'custom_data.price is not a number: "free".' } },
      { name: 'Sword', changes: [{ after: '16' }] },
    ],
    counts: { changes: 1, problems: 1 },
  });
  const remove = (more: object) => admin.mutate('changeSets.removeOperations', { ...set, ...more });
  expect(await remove({})).toMatchObject({ status: 400 });
  expect((await remove({ not_computable: true })).data).toMatchObject({ operation_count: 1 });
  const discarded = await admin.mutate('changeSets.cancel', { ...set, discard: true });
  expect(discarded.data).toMatchObject({ state: 'cancelled', operation_count: 0 });
  expect(await admin.query('changeSets.get', set)).toMatchObject({ status: 404 });
});

const tag = { op: 'append_tags', tags: ['a'] };

test.each([
  ['without records', { kind: 'item', edits: [tag] }, 'filter'],
  ['with a filter of another kind', { kind: 'xp', filter: { tag: 'a' }, edits: [tag] }, 'tag'],
  ['of tags of Xp tables', { kind: 'xp', filter: {}, edits: [tag] }, 'op'],
  [
    'that clears the name',
    { kind: 'item', filter: {}, edits: [{ op: 'clear', field: 'name' }] },
    'field',
  ],
  [
    'that multiplies by a text',
    { kind: 'item', filter: {}, edits: [{ op: 'add', field: 'custom_data.price', value: 'x' }] },
    'value',
  ],
])('a change of matching records %s is refused at its place', async (_, matching, place) => {
  const main = await addSandbox();
  const { data } = await admin.mutate('changeSets.create', { ...main, title: 'Sale' });
  const set = { ...main, change_set_id: data.change_set_id };
  const refused = await admin.mutate('changeSets.addMatching', {
    ...set,
    matching: { operation: 'update', ...matching },
  });
  expect(refused).toMatchObject({ status: 400, error: { error_code: 'input_invalid' } });
  const { detail } = refused.error as unknown as { detail: { loc: string[] }[] };
  expect(detail.map(({ loc }) => loc.at(-1))).toContain(place);
});

test('unknown ids are not found, and a foreign cursor is refused', async () => {
  const main = await addSandbox();
  const set = { ...main, change_set_id: randomUUID() };
  const notFound = { status: 404, error: { error_code: 'change_set_not_found' } };
  expect(await admin.query('changeSets.get', set)).toMatchObject(notFound);
  expect(await admin.query('changeSets.preview', set)).toMatchObject(notFound);
  const apply = { ...set, expected_revision: 1 };
  expect(await admin.mutate('changeSets.apply', apply)).toMatchObject(notFound);
  expect(await admin.mutate('changeSets.revert', set)).toMatchObject(notFound);
  const edit = { ...main, transaction_id: randomUUID() };
  expect(await admin.mutate('edits.revert', edit)).toMatchObject({
    status: 404,
    error: { error_code: 'edit_not_found' },
  });
  const nowhere = { sandbox_id: randomUUID() };
  const noSandbox = { status: 404, error: { error_code: 'sandbox_not_found' } };
  expect(await admin.query('edits.list', nowhere)).toMatchObject(noSandbox);
  expect(await admin.query('changeSets.list', nowhere)).toMatchObject(noSandbox);
  for (const name of ['edits.list', 'changeSets.list']) {
    const foreign = await admin.query(name, { ...main, cursor: 'e30' });
    expect(foreign).toMatchObject({ status: 400, error: { error_code: 'input_invalid' } });
  }
});

test('a viewer reads, and only an editor of the sandbox changes', async () => {
  const [mine, other] = [await addSandbox(), await addSandbox()];
  const viewer = createAdminClient(service, { permissions: ['sandbox:config:view'] });
  const editor = createAdminClient(service, {
    permissions: [`sandbox:${mine.sandbox_id}:config:edit`],
  });
  const title = { title: 'Season 2' };
  const refused = { status: 403, error: { error_code: 'insufficient_permissions' } };
  expect(await viewer.query('edits.list', mine)).toMatchObject({ status: 200 });
  expect(await viewer.query('changeSets.list', mine)).toMatchObject({ status: 200 });
  expect(await viewer.mutate('changeSets.create', { ...mine, ...title })).toMatchObject(refused);
  const made = await editor.mutate('changeSets.create', { ...mine, ...title });
  expect(made).toMatchObject({ status: 200 });
  const set = { ...mine, change_set_id: made.data.change_set_id };
  expect(await viewer.query('changeSets.preview', set)).toMatchObject({ status: 200 });
  const apply = { ...set, expected_revision: 1 };
  expect(await viewer.mutate('changeSets.apply', apply)).toMatchObject(refused);
  expect(await editor.mutate('changeSets.create', { ...other, ...title })).toMatchObject(refused);
  // A set is found in its own sandbox only.
  const elsewhere = { ...set, sandbox_id: other.sandbox_id };
  expect(await admin.query('changeSets.get', elsewhere)).toMatchObject({ status: 404 });
});
