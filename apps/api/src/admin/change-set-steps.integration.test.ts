// Reviews and schedules of change sets over HTTP; every answer is compared with the reference.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import { readMetric } from '../../test/read-metrics.ts';
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

describe('a schedule', () => {
  const HOUR_MS = 3_600_000;
  const makeSet = async () => {
    const main = await addSandbox();
    const set = { ...main, change_set_id: randomUUID() };
    await admin.mutate('changeSets.create', { ...set, title: 'Weekend sale' });
    const operations = [{ kind: 'item', operation: 'create', ...item('Lantern') }];
    await admin.mutate('changeSets.addOperations', { ...set, operations });
    const apply_at = new Date(Date.now() + HOUR_MS).toISOString();
    const listItems = async () => (await admin.query('items.list', main)).data.records;
    return { ...main, set, moment: { ...set, expected_revision: 2, apply_at }, listItems };
  };
  /** The moment comes, as far as the database knows. */
  const passTime = async ({ change_set_id }: { change_set_id: string }) => {
    const changes = { applyAt: new Date(), nextStepAt: new Date() };
    const where = { changeSetId: change_set_id };
    await service.database.prisma.changeSet.updateMany({ where, data: changes });
    await service.runSchedules();
  };

  test('is made by a person, shown, acknowledged and removed', async () => {
    const { set, moment } = await makeSet();
    const { accountId, cookie } = await service.createPerson({ role: 'editor' });
    const person = createAdminCaller(service.baseUrl, { cookie });
    const scheduled = await person.mutate('changeSets.schedule', moment);
    expect(scheduled).toMatchObject({
      status: 200,
      data: {
        state: 'scheduled',
        schedule: { apply_at: moment.apply_at, account_id: accountId, next_step: 'apply' },
      },
    });
    const listed = await person.query('changeSets.list', {
      sandbox_id: set.sandbox_id,
      needs_attention: true,
    });
    expect(listed.data).toMatchObject({ change_sets: [] });
    expect(await person.mutate('changeSets.acknowledge', set)).toMatchObject({ status: 200 });
    const expected_revision = moment.expected_revision + 2;
    const removed = await person.mutate('changeSets.unschedule', { ...set, expected_revision });
    expect(removed.data).toMatchObject({ state: 'draft' });
  });

  test('is refused to a signed token, whose permissions cannot be read later', async () => {
    const { moment } = await makeSet();
    const refused = await admin.mutate('changeSets.schedule', moment);
    expect(refused.error).toMatchObject({ error_code: 'insufficient_permissions' });
  });

  test('is refused for a moment that has passed, and for an older revision', async () => {
    const { moment } = await makeSet();
    const { cookie } = await service.createPerson({ role: 'editor' });
    const person = createAdminCaller(service.baseUrl, { cookie });
    const past = await person.mutate('changeSets.schedule', {
      ...moment,
      apply_at: '2020-01-01T00:00:00Z',
    });
    expect(past).toMatchObject({ status: 400, code: 'input_invalid' });
    const older = await person.mutate('changeSets.schedule', { ...moment, expected_revision: 1 });
    expect(older).toMatchObject({ status: 409, code: 'change_set_revision_conflict' });
  });

  test('is kept for a person who may still edit, and fails for one who was disabled', async () => {
    const [kept, failed] = [await makeSet(), await makeSet()];
    for (const made of [kept, failed]) {
      const { accountId: account_id, cookie } = await service.createPerson({ role: 'editor' });
      const person = createAdminCaller(service.baseUrl, { cookie });
      expect((await person.mutate('changeSets.schedule', made.moment)).status).toBe(200);
      const disabled = made === failed;
      await admin.mutate('people.setDisabled', { account_id, disabled });
      await passTime(made.set);
    }
    expect(await kept.listItems()).toHaveLength(1);
    expect(await failed.listItems()).toEqual([]);
    expect(await readMetric(service, 'muster_change_set_schedule_failures_total')).toBe(1);
    expect((await admin.query('changeSets.get', failed.set)).data).toMatchObject({
      state: 'failed',
      failure: { step: 'apply', code: 'account_disabled', needs_attention: true },
    });
    const kinds = ['change_set_applied', 'change_set_failed'];
    // An event is visible once no older transaction of the server is running.
    const readLast = async () => {
      const { data } = await admin.query('events.list', { kinds });
      return (data as { events: object[] }).events.slice(-2);
    };
    await expect.poll(readLast).toMatchObject([
      { kind: 'change_set_applied', change_set_id: kept.set.change_set_id },
      { kind: 'change_set_failed', detail: { step: 'apply', code: 'account_disabled' } },
    ]);
  });

  test('of an API key fails after the key was revoked', async () => {
    const [kept, failed] = [await makeSet(), await makeSet()];
    for (const made of [kept, failed]) {
      const account = await admin.mutate('keys.createAccount', { name: `CI ${randomUUID()}` });
      const { account_id } = account.data as { account_id: string };
      const created = await admin.mutate('keys.create', {
        account_id,
        name: 'A key',
        permissions: ['sandbox:config:edit'],
        sandbox_ids: [made.set.sandbox_id],
      });
      const { key, key_id } = created.data as { key: string; key_id: string };
      const caller = createAdminCaller(service.baseUrl, { authorization: `Bearer ${key}` });
      expect((await caller.mutate('changeSets.schedule', made.moment)).status).toBe(200);
      if (made === failed) await admin.mutate('keys.revoke', { key_id });
      await passTime(made.set);
    }
    expect(await kept.listItems()).toHaveLength(1);
    expect(await failed.listItems()).toEqual([]);
  });
});
