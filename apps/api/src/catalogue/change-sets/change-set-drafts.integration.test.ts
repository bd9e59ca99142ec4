import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, anXp, openTestCatalogue } from '../testing/open-test-catalogue.ts';
import type { ChangeSetAnswer } from './change-set-service.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const readOperations = ({ change_set_id: changeSetId }: Pick<ChangeSetAnswer, 'change_set_id'>) =>
  opened.database.prisma.changeSetOperation.findMany({
    where: { changeSetId },
    orderBy: { position: 'asc' },
    omit: { sandboxId: true, changeSetId: true },
  });

const aDraft = async (title = 'Season 2') => {
  const sandbox_id = await opened.addSandbox();
  const set = await opened.catalogue.changeSets.create(ACTOR, { sandbox_id, title });
  return { sandbox_id, set, ref: { sandbox_id, change_set_id: set.change_set_id } };
};

describe('a draft', () => {
  test('is created, read, renamed, listed and cancelled', async () => {
    const { changeSets } = opened.catalogue;
    const { sandbox_id, set, ref } = await aDraft();
    expect(set).toEqual({
      ...ref,
      title: 'Season 2',
      state: 'draft',
      author_id: 'editor-1',
      revision: 1,
      operation_count: 0,
      created: expect.any(String),
      updated: set.created,
    });
    const review = { required_approvals: 0, approvals: [], editor_ids: [] };
    expect(await changeSets.get(ref)).toEqual({ ...set, review });
    const change = { title: 'Season 3', reason: 'Balance', expected_revision: 1 };
    const renamed = await changeSets.update(ACTOR, { ...ref, ...change });
    expect(renamed).toMatchObject({ title: 'Season 3', reason: 'Balance', revision: 2 });
    const cleared = await changeSets.update(ACTOR, { ...ref, reason: null, expected_revision: 2 });
    expect(cleared).not.toHaveProperty('reason');
    const later = await changeSets.create(ACTOR, { sandbox_id, title: 'Later' });
    const first = await changeSets.list({ sandbox_id }, null, 1);
    expect(first.change_sets).toEqual([later]);
    const second = await changeSets.list({ sandbox_id }, first.next, 1);
    expect(second).toEqual({ change_sets: [cleared], next: null });
    const cancelled = await changeSets.cancel(ACTOR, ref);
    expect(cancelled).toMatchObject({ state: 'cancelled', revision: 4 });
    const listed = await changeSets.list({ sandbox_id, state: 'cancelled' }, null, 50);
    expect(listed.change_sets).toEqual([cancelled]);
  });

  test('keeps one operation for each record, in the order in which they were added', async () => {
    const { changeSets } = opened.catalogue;
    const { ref } = await aDraft();
    const [item_id, xp_id] = [randomUUID(), randomUUID()];
    const item = { kind: 'item', item_id } as const;
    const added = await changeSets.addOperations(ACTOR, {
      ...ref,
      expected_revision: 1,
      operations: [
        { ...item, operation: 'delete', expected_version: 1 },
        { kind: 'xp', xp_id, operation: 'restore', expected_version: 4 },
        { kind: 'item', operation: 'create', ...anItem('Bow') },
      ],
    });
    expect(added).toMatchObject({ operation_count: 3, revision: 2 });
    const fields = { tags: ['b', 'a'], description: null };
    const replaced = await changeSets.addOperations(ACTOR, {
      ...ref,
      operations: [
        { ...item, operation: 'update', expected_version: 2, name: 'Sword' },
        { ...item, operation: 'update', expected_version: 3, ...fields },
      ],
    });
    expect(replaced).toMatchObject({ operation_count: 3, revision: 3 });
    const none = { baseVersion: null, fields: null, versionId: null };
    expect(await readOperations(ref)).toMatchObject([
      { kind: 'item', recordId: item_id, operation: 'update', baseVersion: 3n, fields },
      { ...none, kind: 'xp', recordId: xp_id, operation: 'restore', baseVersion: 4n },
      { kind: 'item', operation: 'create', baseVersion: null, fields: anItem('Bow') },
    ]);
    const removed = await changeSets.removeOperations(ACTOR, {
      ...ref,
      records: [
        { kind: 'item', record_id: item_id },
        { kind: 'item', record_id: xp_id },
      ],
    });
    expect(removed).toMatchObject({ operation_count: 2, revision: 4 });
  });

  test('refuses a change that is based on an older revision, or comes after its end', async () => {
    const { changeSets } = opened.catalogue;
    const { sandbox_id, ref } = await aDraft();
    const outdated = changeSets.update(ACTOR, { ...ref, title: 'New', expected_revision: 2 });
    await expect(outdated).rejects.toMatchObject({
      code: 'change_set_revision_conflict',
      evidence: { facts: { current_revision: 1 } },
    });
    await changeSets.cancel(ACTOR, ref);
    const records = [{ kind: 'item' as const, record_id: randomUUID() }];
    await expect(changeSets.removeOperations(ACTOR, { ...ref, records })).rejects.toMatchObject({
      code: 'change_set_closed',
      evidence: { facts: { state: 'cancelled' } },
    });
    const again = changeSets.create(ACTOR, { ...ref, title: 'Again' });
    await expect(again).rejects.toMatchObject({ code: 'change_set_exists' });
    const unknown = { sandbox_id, change_set_id: randomUUID() };
    await expect(changeSets.get(unknown)).rejects.toMatchObject({ code: 'change_set_not_found' });
    const nowhere = changeSets.create(ACTOR, { sandbox_id: randomUUID(), title: 'New' });
    await expect(nowhere).rejects.toMatchObject({ code: 'sandbox_not_found' });
  });

  test('has an audit record for every change', async () => {
    const { sandbox_id, ref } = await aDraft();
    await opened.catalogue.changeSets.cancel(ACTOR, ref);
    const records = await opened.database.prisma.auditRecord.findMany({
      where: { sandboxId: sandbox_id, action: { startsWith: 'changeSets.' } },
      orderBy: { auditId: 'asc' },
    });
    const target = { change_set_id: ref.change_set_id };
    expect(records).toMatchObject([
      { action: 'changeSets.create', accountId: 'editor-1', target },
      { action: 'changeSets.cancel', accountId: 'editor-1', target },
    ]);
  });
});

describe('the draft that reverts an edit', () => {
  test('undoes what the edit did to each record, based on its last versions', async () => {
    const sandbox_id = await opened.addSandbox();
    const { items, xp, changeSets } = opened.catalogue;
    const axe = await items.create(ACTOR, { sandbox_id, ...anItem('Axe'), description: 'Sharp' });
    const bow = await items.create(ACTOR, { sandbox_id, ...anItem('Bow') });
    const club = await items.create(ACTOR, { sandbox_id, ...anItem('Club') });
    await items.delete(ACTOR, { sandbox_id, item_id: club.item_id, expected_version: 1 });
    const edit = await items.bulk(ACTOR, {
      sandbox_id,
      operations: [
        { operation: 'update', item_id: axe.item_id, expected_version: 1, name: 'Great axe' },
        {
          operation: 'update',
          item_id: axe.item_id,
          expected_version: 2,
          description: null,
          tags: ['a'],
          legacy_item_id: 7,
        },
        { operation: 'delete', item_id: bow.item_id, expected_version: 1 },
        { operation: 'restore', item_id: club.item_id, expected_version: 2 },
        { operation: 'create', ...anItem('Dagger') },
      ],
    });
    const draft = await changeSets.revertEdit(ACTOR, {
      sandbox_id,
      transaction_id: edit.transaction_id ?? '',
    });
    expect(draft).toMatchObject({
      title: 'Revert of 4 changes',
      state: 'draft',
      operation_count: 4,
      reverts_transaction_id: edit.transaction_id,
    });
    const dagger = edit.records[4]?.item_id;
    const version_id = bow.version_id;
    const fields = { name: 'Axe', description: 'Sharp', tags: [] };
    expect(await readOperations(draft)).toMatchObject([
      { operation: 'delete', recordId: dagger, baseVersion: 1n },
      { operation: 'delete', recordId: club.item_id, baseVersion: 3n },
      { operation: 'restore', recordId: bow.item_id, baseVersion: 2n, versionId: version_id },
      { operation: 'update', recordId: axe.item_id, baseVersion: 3n, fields },
    ]);
    const levels = await xp.create(ACTOR, { sandbox_id, ...anXp('Levels') });
    const single = { sandbox_id, transaction_id: levels.transaction_id };
    expect(await changeSets.revertEdit(ACTOR, single)).toMatchObject({ title: 'Revert: Levels' });
    expect(await changeSets.revertEdit(ACTOR, { ...single, title: 'Oops' })).toMatchObject({
      title: 'Oops',
    });
  });

  test('is refused for a transaction that the sandbox does not have', async () => {
    const sandbox_id = await opened.addSandbox();
    const other = await opened.addSandbox('Other');
    const { items, changeSets, sandboxes } = opened.catalogue;
    const { transaction_id } = await items.create(ACTOR, { sandbox_id: other, ...anItem('Axe') });
    const revert = (ref: { sandbox_id: string; transaction_id: string }) =>
      changeSets.revertEdit(ACTOR, ref);
    await expect(revert({ sandbox_id, transaction_id })).rejects.toMatchObject({
      code: 'edit_not_found',
    });
    const authority = { administers: true, confirmedName: 'Other' };
    await sandboxes.delete(ACTOR, { sandbox_id: other }, authority);
    await expect(revert({ sandbox_id: other, transaction_id })).rejects.toMatchObject({
      code: 'sandbox_not_found',
    });
    await sandboxes.purge(ACTOR, { sandbox_id: other }, authority);
    await expect(revert({ sandbox_id: other, transaction_id })).rejects.toMatchObject({
      code: 'sandbox_not_found',
    });
  });
});
