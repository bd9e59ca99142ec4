// Reviews: who may approve, when a change set may be applied, and what happens to other writes.
import { randomUUID } from 'node:crypto';
import type { Role } from '@muster/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_AUTHORITY, refOf } from '../testing/change-set-calls.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, anXp, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

type SetReference = { sandbox_id: string; change_set_id: string };

const addPerson = async (role: Role = 'editor', sandboxIds: string[] = []) => {
  const id = randomUUID();
  const data = { id, name: id, email: `${id}@example.com`, role, sandboxIds };
  await opened.database.prisma.accountUser.create({ data });
  return { ...ACTOR, accountId: id };
};

const changePerson = ({ accountId: id }: { accountId: string }, data: object) =>
  opened.database.prisma.accountUser.update({ where: { id }, data });

/** A sandbox that requires this many approvals. */
const addReviewed = async (required_approvals = 1) => {
  const sandbox_id = await opened.addSandbox();
  const { sandboxes } = opened.catalogue;
  await sandboxes.update(ACTOR, { sandbox_id, required_approvals }, NO_AUTHORITY);
  return sandbox_id;
};

const aSet = async (sandbox_id: string) => {
  const { changeSets } = opened.catalogue;
  const set = await changeSets.create(ACTOR, { sandbox_id, title: 'Season 2' });
  const operations = [{ kind: 'item' as const, operation: 'create' as const, ...anItem('Axe') }];
  return changeSets.addOperations(ACTOR, { ...refOf(set), operations });
};

const read = (set: SetReference) => opened.catalogue.changeSets.get(refOf(set));

const revised = async (set: SetReference) => ({
  ...refOf(set),
  expected_revision: (await read(set)).revision,
});

const submit = async (set: SetReference) =>
  opened.catalogue.changeSets.submit(ACTOR, await revised(set));

const approve = async (set: SetReference, person: typeof ACTOR) =>
  opened.catalogue.changeSets.approve(person, await revised(set));

const apply = async (set: SetReference, actor = ACTOR, bypass_reason?: string) => {
  const input = { ...(await revised(set)), ...(bypass_reason && { bypass_reason }) };
  return opened.catalogue.changeSets.apply(actor, input, NO_AUTHORITY);
};

const countVersions = async (sandbox_id: string) =>
  (await opened.catalogue.sandboxes.get(sandbox_id)).head_seq;

const lacking = (approvals: number, required: number) => ({
  code: 'review_required',
  evidence: { facts: { approvals, required_approvals: required } },
});

describe('a change set in a sandbox that requires an approval', () => {
  test('is applied once another person has approved it, and not before', async () => {
    const sandbox_id = await addReviewed();
    const set = await aSet(sandbox_id);
    await expect(apply(set)).rejects.toMatchObject(lacking(0, 1));
    expect(await submit(set)).toMatchObject({ state: 'in_review' });
    await expect(apply(set)).rejects.toMatchObject(lacking(0, 1));
    const kim = await addPerson();
    expect(await approve(set, kim)).toMatchObject({ state: 'approved' });
    expect((await read(set)).review).toEqual({
      required_approvals: 1,
      approvals: [{ account_id: kim.accountId, at: expect.any(String), counts: true }],
      editor_ids: [],
    });
    expect(await apply(set)).toMatchObject({ change_set: { state: 'applied' }, head_seq: 1 });
    const where = { sandboxId: sandbox_id, action: { startsWith: 'changeSets.' } };
    const records = await opened.database.prisma.auditRecord.findMany({
      where,
      orderBy: { auditId: 'asc' },
    });
    expect(records.map(({ action }) => action.slice('changeSets.'.length))).toEqual([
      'create',
      'addOperations',
      'submit',
      'approve',
      'apply',
    ]);
  });

  test('of an API key is not approved by the person who made its account', async () => {
    const set = await aSet(await addReviewed());
    const [maker, accountId] = [await addPerson(), randomUUID()];
    const made = { accountId, createdBy: maker.accountId, name: accountId, createdAt: new Date() };
    await opened.database.prisma.serviceAccount.create({ data: made });
    const change = { ...(await revised(set)), title: 'By a key' };
    await opened.catalogue.changeSets.update({ accountId }, change);
    await submit(set);
    await expect(approve(set, maker)).rejects.toMatchObject({ code: 'own_change' });
    expect(await approve(set, await addPerson())).toMatchObject({ state: 'approved' });
  });

  test('is not approved by its author, or by anyone who changed it', async () => {
    const set = await aSet(await addReviewed());
    const helper = await addPerson();
    const { changeSets } = opened.catalogue;
    await changeSets.update(helper, { ...(await revised(set)), title: 'Season 3' });
    await submit(set);
    for (const person of [ACTOR, helper]) {
      await expect(approve(set, person)).rejects.toMatchObject({ code: 'own_change' });
    }
    expect(await read(set)).toMatchObject({ review: { editor_ids: [helper.accountId] } });
  });

  test('needs two different people where two approvals are required', async () => {
    const set = await aSet(await addReviewed(2));
    await submit(set);
    const [kim, lee] = [await addPerson(), await addPerson('admin')];
    expect(await approve(set, kim)).toMatchObject({ state: 'in_review' });
    const repeated = await approve(set, kim);
    expect(repeated).toMatchObject({ state: 'in_review', revision: 4 });
    await expect(apply(set)).rejects.toMatchObject(lacking(1, 2));
    expect(await approve(set, lee)).toMatchObject({ state: 'approved' });
    expect(await apply(set)).toMatchObject({ head_seq: 1 });
  });

  test('returns to a draft without its approvals when it is changed', async () => {
    const set = await aSet(await addReviewed());
    const kim = await addPerson();
    const { changeSets } = opened.catalogue;
    const changes = [
      () =>
        changeSets.addOperations(ACTOR, {
          ...refOf(set),
          operations: [{ kind: 'xp', operation: 'create', ...anXp('Levels') }],
        }),
      async () => changeSets.update(ACTOR, { ...(await revised(set)), title: 'Season 3' }),
      () =>
        changeSets.removeOperations(ACTOR, {
          ...refOf(set),
          records: [{ kind: 'item', record_id: randomUUID() }],
        }),
    ];
    for (const change of changes) {
      await submit(set);
      await approve(set, kim);
      expect(await change()).toMatchObject({ state: 'draft' });
      expect(await read(set)).toMatchObject({ review: { approvals: [] } });
      await expect(apply(set)).rejects.toMatchObject(lacking(0, 1));
    }
    const { comments } = await changeSets.comments(refOf(set), null, 50);
    expect(comments).toHaveLength(3);
    expect(comments.every(({ kind, withdrawn }) => kind === 'approval' && withdrawn)).toBe(true);
  });

  test('is not applied with an approval of a person who has lost the right to give it', async () => {
    const sandbox_id = await addReviewed();
    const set = await aSet(sandbox_id);
    await submit(set);
    const kim = await addPerson();
    await approve(set, kim);
    const losses = [{ disabledAt: new Date() }, { role: 'viewer' }, { sandboxIds: [randomUUID()] }];
    for (const loss of losses) {
      await changePerson(kim, loss);
      expect(await read(set)).toMatchObject({ review: { approvals: [{ counts: false }] } });
      await expect(apply(set)).rejects.toMatchObject(lacking(0, 1));
      await changePerson(kim, { disabledAt: null, role: 'editor', sandboxIds: [] });
    }
    await changePerson(kim, { sandboxIds: [sandbox_id] });
    expect(await apply(set)).toMatchObject({ head_seq: 1 });
  });

  test('is rejected with a reason, and approved after it was submitted again', async () => {
    const set = await aSet(await addReviewed());
    await submit(set);
    const kim = await addPerson();
    await approve(set, kim);
    const { changeSets } = opened.catalogue;
    const rejected = await changeSets.reject(kim, { ...(await revised(set)), reason: 'Too cheap' });
    expect(rejected).toMatchObject({ state: 'rejected' });
    expect((await read(set)).review).toMatchObject({
      approvals: [],
      rejection: { account_id: kim.accountId, reason: 'Too cheap' },
    });
    await expect(apply(set)).rejects.toMatchObject({ code: 'change_set_closed' });
    await submit(set);
    expect((await read(set)).review).not.toHaveProperty('rejection');
    await approve(set, kim);
    expect(await apply(set)).toMatchObject({ head_seq: 1 });
  });

  test('is applied by an owner without approvals, whose reason is in the audit trail', async () => {
    const sandbox_id = await addReviewed();
    const set = await aSet(sandbox_id);
    const [owner, admin] = [await addPerson('owner'), await addPerson('admin')];
    for (const other of [admin, ACTOR]) {
      await expect(apply(set, other, 'Urgent')).rejects.toMatchObject({
        code: 'insufficient_permissions',
      });
    }
    await expect(apply(set, owner)).rejects.toMatchObject(lacking(0, 1));
    expect(await apply(set, owner, 'Players lose items')).toMatchObject({ head_seq: 1 });
    const where = { sandboxId: sandbox_id, action: 'changeSets.apply' };
    expect(await opened.database.prisma.auditRecord.findMany({ where })).toMatchObject([
      { accountId: owner.accountId, after: { bypass_reason: 'Players lose items' } },
    ]);
    const { comments } = await opened.catalogue.changeSets.comments(refOf(set), null, 50);
    expect(comments).toMatchObject([{ kind: 'bypass', text: 'Players lose items' }]);
  });

  test('has comments, oldest first, in pages', async () => {
    const set = await aSet(await addReviewed());
    const { changeSets } = opened.catalogue;
    for (const text of ['One', 'Two', 'Three']) {
      await changeSets.comment(ACTOR, { ...refOf(set), text });
    }
    const first = await changeSets.comments(refOf(set), null, 2);
    expect(first.comments).toMatchObject([{ text: 'One' }, { kind: 'comment', text: 'Two' }]);
    const second = await changeSets.comments(refOf(set), first.next, 2);
    expect(second).toMatchObject({ comments: [{ text: 'Three' }], next: null });
    expect(await read(set)).toMatchObject({ state: 'draft', revision: set.revision });
  });

  test('is not submitted or approved in a state that does not permit it', async () => {
    const sandbox_id = await addReviewed();
    const { changeSets } = opened.catalogue;
    const empty = await changeSets.create(ACTOR, { sandbox_id, title: 'Empty' });
    await expect(submit(empty)).rejects.toMatchObject({ code: 'input_invalid' });
    const set = await aSet(sandbox_id);
    const kim = await addPerson();
    await expect(approve(set, kim)).rejects.toMatchObject({ code: 'change_set_closed' });
    await submit(set);
    const outdated = changeSets.approve(kim, { ...refOf(set), expected_revision: 1 });
    await expect(outdated).rejects.toMatchObject({ code: 'change_set_revision_conflict' });
  });
});

test('a sandbox that becomes protected requires one approval, unless the call says otherwise', async () => {
  const { sandboxes } = opened.catalogue;
  const protect = async (more: object) => {
    const sandbox_id = await opened.addSandbox();
    return sandboxes.update(ACTOR, { sandbox_id, protected: true, ...more }, NO_AUTHORITY);
  };
  const one = await protect({});
  expect(one).toMatchObject({ required_approvals: 1 });
  expect(await protect({ required_approvals: 0 })).toMatchObject({ required_approvals: 0 });
  expect(await protect({ required_approvals: 2 })).toMatchObject({ required_approvals: 2 });
  const fewer = { sandbox_id: one.sandbox_id, required_approvals: 0 };
  await expect(sandboxes.update(ACTOR, fewer, NO_AUTHORITY)).rejects.toMatchObject({
    code: 'sandbox_protected',
  });
  const admin = { administers: true, confirmedName: 'Live' };
  expect(await sandboxes.update(ACTOR, fewer, admin)).toMatchObject({ required_approvals: 0 });
});

describe('a write to a sandbox that requires an approval', () => {
  /** The id of the change set that the refusal names. */
  const readWaiting = async (write: Promise<unknown>): Promise<string> => {
    const error: unknown = await write.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'review_required' });
    const { evidence } = error as { evidence: { facts?: { change_set_id?: string } } };
    return evidence.facts?.change_set_id ?? '';
  };

  /** An Item from before the review was required. */
  const withItem = async () => {
    const sandbox_id = await opened.addSandbox();
    const { items, sandboxes } = opened.catalogue;
    const item = await items.create(ACTOR, { sandbox_id, ...anItem('Axe') });
    await sandboxes.update(ACTOR, { sandbox_id, required_approvals: 1 }, NO_AUTHORITY);
    return { sandbox_id, item_id: item.item_id };
  };

  const approveAndApply = async (set: SetReference) => {
    await approve(set, await addPerson());
    return apply(set);
  };

  test('waits as a change set in review, and is written once that is approved', async () => {
    const { sandbox_id, item_id } = await withItem();
    const { items, changeSets } = opened.catalogue;
    const edit = { sandbox_id, item_id, expected_version: 1 };
    const change_set_id = await readWaiting(
      items.update(ACTOR, { ...edit, tags: ['sale'], reason: 'Weekend' }),
    );
    expect(await countVersions(sandbox_id)).toBe(1);
    const set = { sandbox_id, change_set_id };
    expect(await changeSets.get(set)).toMatchObject({
      title: 'Change Axe',
      reason: 'Weekend',
      state: 'in_review',
      author_id: ACTOR.accountId,
      operation_count: 1,
    });
    expect(await changeSets.preview(ACTOR, set, null, 10)).toMatchObject({
      operations: [{ record_id: item_id, changes: [{ path: ['tags', 'sale'] }] }],
    });
    await approveAndApply(set);
    expect(await items.get({ sandbox_id, item_id })).toMatchObject({ tags: ['sale'], version: 2 });
  });

  test('makes one change set, however often it is repeated', async () => {
    const { sandbox_id } = await withItem();
    const { items, changeSets } = opened.catalogue;
    const create = (name: string) =>
      readWaiting(items.create(ACTOR, { sandbox_id, ...anItem(name) }));
    const first = await create('Bow');
    expect(await create('Bow')).toBe(first);
    expect(await create('Club')).not.toBe(first);
    const { change_sets } = await changeSets.list({ sandbox_id, state: 'in_review' }, null, 50);
    expect(change_sets.map(({ title }) => title).sort()).toEqual(['Create Bow', 'Create Club']);
    // A decided one no longer answers for new calls.
    const set = { sandbox_id, change_set_id: first };
    await changeSets.cancel(ACTOR, set);
    expect(await create('Bow')).not.toBe(first);
  });

  test('becomes a change set when it deletes, restores or edits in bulk', async () => {
    const { sandbox_id, item_id } = await withItem();
    const { items } = opened.catalogue;
    const edit = { sandbox_id, item_id, expected_version: 1 };
    const first = await items.get({ sandbox_id, item_id });
    const steps = [
      () => items.delete(ACTOR, edit),
      () => items.restore(ACTOR, { ...edit, expected_version: 2, version_id: first.version_id }),
      () =>
        items.bulk(ACTOR, {
          sandbox_id,
          operations: [
            { operation: 'update', item_id, expected_version: 3, description: 'Sharp' },
            { operation: 'create', ...anItem('Bow') },
          ],
        }),
    ];
    const titles: string[] = [];
    for (const step of steps) {
      const change_set_id = await readWaiting(step());
      titles.push((await read({ sandbox_id, change_set_id })).title);
      await approveAndApply({ sandbox_id, change_set_id });
    }
    expect(titles).toEqual(['Delete Axe', 'Restore Axe', 'Bulk edit of 2 records']);
    expect(await items.get({ sandbox_id, item_id })).toMatchObject({ description: 'Sharp' });
    expect(await countVersions(sandbox_id)).toBe(5);
  });

  test('is refused without a change set when it changes a record twice', async () => {
    const { sandbox_id, item_id } = await withItem();
    const { items, changeSets } = opened.catalogue;
    const operations = [
      { operation: 'delete' as const, item_id, expected_version: 1 },
      { operation: 'restore' as const, item_id, expected_version: 2 },
    ];
    expect(await readWaiting(items.bulk(ACTOR, { sandbox_id, operations }))).toBe('');
    expect((await changeSets.list({ sandbox_id }, null, 50)).change_sets).toEqual([]);
  });

  test('is a promotion, which needs an approval in its target', async () => {
    const source = await withItem();
    const target = await addReviewed();
    const { changeSets, items } = opened.catalogue;
    const draft = await changeSets.promote(ACTOR, {
      sandbox_id: target,
      source_sandbox_id: source.sandbox_id,
      kind: 'item',
      include_referenced: false,
    });
    await expect(apply(draft)).rejects.toMatchObject(lacking(0, 1));
    await submit(draft);
    await approveAndApply(draft);
    const { item_id } = source;
    expect(await items.get({ sandbox_id: target, item_id })).toMatchObject({ name: 'Axe' });
  });

  test('is the revert of an edit, which needs an approval as well', async () => {
    const { sandbox_id, item_id } = await withItem();
    const { items, changeSets } = opened.catalogue;
    const { transaction_id } = await items.get({ sandbox_id, item_id });
    const draft = await changeSets.revertEdit(ACTOR, { sandbox_id, transaction_id });
    await expect(apply(draft)).rejects.toMatchObject(lacking(0, 1));
    await submit(draft);
    await approveAndApply(draft);
    expect(await countVersions(sandbox_id)).toBe(2);
  });
});
