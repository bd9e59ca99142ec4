// Change sets and edits over HTTP; every answer is compared with the reference.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
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

describe('in a sandbox that requires an approval', () => {
  const addReviewed = async () => {
    const main = await addSandbox();
    await admin.mutate('sandboxes.update', { ...main, required_approvals: 1 });
    return main;
  };

  const submit = async (main: { sandbox_id: string }) => {
    const set = { ...main, change_set_id: randomUUID() };
    await admin.mutate('changeSets.create', { ...set, title: 'Season 2' });
    const operations = [{ kind: 'item', operation: 'create', ...item('Bow') }];
    const { data } = await admin.mutate('changeSets.addOperations', { ...set, operations });
    const submitted = { ...set, expected_revision: data.revision };
    expect((await admin.mutate('changeSets.submit', submitted)).data).toMatchObject({
      state: 'in_review',
    });
    return { ...set, expected_revision: 3 };
  };

  test('neither a key nor a token approves, rejects or bypasses, even one that permits everything', async () => {
    const set = await submit(await addReviewed());
    const { data: account } = await admin.mutate('keys.createAccount', { name: 'Automation' });
    const { data: made } = await admin.mutate('keys.create', {
      account_id: account.account_id,
      name: 'All',
      permissions: ['*'],
    });
    const authorization = `Bearer ${made.key}`;
    const withKey = createAdminCaller(service.baseUrl, { authorization });
    for (const caller of [admin, withKey]) {
      const calls = [
        caller.mutate('changeSets.approve', set),
        caller.mutate('changeSets.reject', { ...set, reason: 'No' }),
        caller.mutate('changeSets.apply', { ...set, bypass_reason: 'Urgent' }),
      ];
      for (const call of calls) {
        expect(await call).toMatchObject({ status: 403 });
      }
    }
    const offered = await admin.mutate('keys.create', {
      account_id: account.account_id,
      name: 'Reviewer',
      permissions: ['sandbox:config:approve'],
    });
    expect(offered.status).toBe(400);
  });

  test('a single edit is refused with the change set that waits for it', async () => {
    const main = await addReviewed();
    const refused = await admin.mutate('items.create', { ...main, ...item('Axe') });
    expect(refused).toMatchObject({
      status: 409,
      error: { error_code: 'review_required', ...main, required_approvals: 1 },
    });
    const { change_set_id } = refused.error as { change_set_id?: string };
    const set = { ...main, change_set_id };
    expect((await admin.query('changeSets.get', set)).data).toMatchObject({
      title: 'Create Axe',
      state: 'in_review',
      review: { required_approvals: 1, approvals: [] },
    });
    const apply = { ...set, expected_revision: 2 };
    expect(await admin.mutate('changeSets.apply', apply)).toMatchObject({
      status: 409,
      error: { error_code: 'review_required', approvals: 0 },
    });
    await admin.mutate('changeSets.comment', { ...set, text: 'For the launch' });
    const comments = await admin.query('changeSets.comments', set);
    expect(comments.data.comments).toMatchObject([{ kind: 'comment', text: 'For the launch' }]);
  });
});
