import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandboxPurge } from '../sandboxes/sandbox-purge.ts';
import { createSandboxPurgeStore } from '../sandboxes/sandbox-purge-store.ts';
import { createSetCalls, NO_AUTHORITY, refOf } from '../testing/change-set-calls.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import {
  ACTOR,
  anItem,
  anXp,
  createTestCatalogue,
  openTestCatalogue,
} from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const { listItems, apply, preview, expectChain } = createSetCalls(() => opened);

describe('a change set', () => {
  const aSet = async (title = 'Season 2', reason?: string) => {
    const sandbox_id = await opened.addSandbox();
    const { changeSets } = opened.catalogue;
    const set = await changeSets.create(ACTOR, { sandbox_id, title, ...(reason && { reason }) });
    return { sandbox_id, set };
  };

  test('changes Items and Xp tables as one edit with its reason, and is reverted as one', async () => {
    const { sandbox_id, set } = await aSet('Season 2', 'Balance');
    const { items, xp, changeSets, edits } = opened.catalogue;
    const axe = await items.create(ACTOR, { sandbox_id, ...anItem('Axe') });
    const bow = await items.create(ACTOR, { sandbox_id, ...anItem('Bow') });
    const gone = await items.delete(ACTOR, {
      sandbox_id,
      item_id: bow.item_id,
      expected_version: 1,
    });
    const levels = await xp.create(ACTOR, { sandbox_id, ...anXp('Levels') });
    const planned = await changeSets.addOperations(ACTOR, {
      ...refOf(set),
      operations: [
        { kind: 'xp', operation: 'create', ...anXp('Ranks') },
        {
          kind: 'item',
          operation: 'update',
          item_id: axe.item_id,
          expected_version: 1,
          tags: ['a'],
        },
        { kind: 'item', operation: 'restore', item_id: gone.item_id, expected_version: 2 },
        { kind: 'xp', operation: 'delete', xp_id: levels.xp_id, expected_version: 1 },
      ],
    });
    const applied = await apply(planned);
    const listed = await edits.list(sandbox_id, null, 1);
    expect(listed.edits).toMatchObject([
      {
        transaction_id: applied.transaction_id,
        title: 'Season 2',
        reason: 'Balance',
        counts: [
          { kind: 'item', operation: 'restore', records: 1 },
          { kind: 'item', operation: 'update', records: 1 },
          { kind: 'xp', operation: 'delete', records: 1 },
          { kind: 'xp', operation: 'insert', records: 1 },
        ],
      },
    ]);
    const undo = await changeSets.revert(ACTOR, refOf(set));
    expect(undo).toMatchObject({ title: 'Revert: Season 2', operation_count: 4 });
    await apply(undo);
    expect(await listItems(sandbox_id)).toMatchObject([{ name: 'Axe', tags: [] }]);
    expect(await changeSets.get(refOf(set))).toMatchObject({
      state: 'reverted',
      reverted_by_set_id: undo.change_set_id,
    });
    // Reverting the revert applies the set again.
    await apply(await changeSets.revert(ACTOR, refOf(undo)));
    const again = await changeSets.get(refOf(set));
    expect(again).toMatchObject({ state: 'applied' });
    expect(again).not.toHaveProperty('reverted_by_set_id');
    expect(await listItems(sandbox_id)).toMatchObject([
      { name: 'Axe', tags: ['a'] },
      { name: 'Bow' },
    ]);
    await expectChain(sandbox_id);
    const { prisma } = opened.database;
    const where = { sandboxId: sandbox_id, action: 'changeSets.apply' };
    expect(await prisma.auditRecord.findMany({ where, orderBy: { auditId: 'asc' } })).toMatchObject(
      [
        {
          target: { change_set_id: set.change_set_id },
          after: { records: 4, transaction_id: applied.transaction_id },
          reason: 'Balance',
        },
        {},
        {},
      ],
    );
  });

  test('is written once by two callers at the same time, and both get the same answer', async () => {
    const { sandbox_id, set } = await aSet();
    const create = { kind: 'item', operation: 'create', ...anItem('Axe') } as const;
    const { changeSets } = opened.catalogue;
    const planned = await changeSets.addOperations(ACTOR, { ...refOf(set), operations: [create] });
    // As another process has it.
    const other = createTestCatalogue(opened.database);
    const [first, second] = await Promise.all([
      apply(planned),
      other.changeSets.apply(
        ACTOR,
        { ...refOf(planned), expected_revision: planned.revision },
        NO_AUTHORITY,
      ),
    ]);
    expect(second).toEqual(first);
    expect(await apply(planned)).toEqual(first);
    expect(await expectChain(sandbox_id)).toBe(1);
    const where = { sandboxId: sandbox_id, action: 'changeSets.apply' };
    expect(await opened.database.prisma.auditRecord.count({ where })).toBe(1);
  });

  test('merges with another set on the same record, or names the conflict', async () => {
    const { sandbox_id, set } = await aSet();
    const { items, changeSets } = opened.catalogue;
    const { item_id } = await items.create(ACTOR, { sandbox_id, ...anItem('Axe') });
    const edit = { kind: 'item', operation: 'update', item_id, expected_version: 1 } as const;
    const plan = async (title: string, fields: object) => {
      const made = await changeSets.create(ACTOR, { sandbox_id, title });
      const operations = [{ ...edit, ...fields }];
      return changeSets.addOperations(ACTOR, { ...refOf(made), operations });
    };
    const first = await changeSets.addOperations(ACTOR, {
      ...refOf(set),
      operations: [{ ...edit, name: 'Great axe', tags: ['a'] }],
    });
    const second = await plan('Tags', { description: 'Heavy', tags: ['b'] });
    const third = await plan('Name', { name: 'Small axe' });
    await apply(first);
    await apply(second);
    expect(await listItems(sandbox_id)).toMatchObject([
      { name: 'Great axe', description: 'Heavy', tags: ['b', 'a'], version: 3 },
    ]);
    await expect(apply(third)).rejects.toMatchObject({ code: 'change_set_conflict' });
    expect(await expectChain(sandbox_id)).toBe(3);
  });

  test('refuses a merged record that breaks a rule', async () => {
    const { sandbox_id, set } = await aSet();
    const { xp, changeSets } = opened.catalogue;
    const level = (number: number, needed: number) => ({ level: number, xp: needed });
    const table = { ...anXp('Levels'), xp_thresholds: [level(1, 0), level(3, 30)] };
    const { xp_id } = await xp.create(ACTOR, { sandbox_id, ...table });
    const edit = { xp_id, expected_version: 1 };
    const planned = await changeSets.addOperations(ACTOR, {
      ...refOf(set),
      operations: [
        {
          kind: 'xp',
          operation: 'update',
          ...edit,
          xp_thresholds: [level(1, 0), level(2, 20), level(3, 30)],
        },
      ],
    });
    await xp.update(ACTOR, { sandbox_id, ...edit, xp_thresholds: [level(1, 0), level(3, 10)] });
    expect((await preview(planned)).operations[0]?.problem).toMatchObject({
      error_code: 'input_invalid',
      desc: expect.stringContaining('xp_thresholds'),
    });
    await expect(apply(planned)).rejects.toMatchObject({ code: 'change_set_conflict' });
  });

  test('names every operation that is refused', async () => {
    const { sandbox_id, set } = await aSet();
    const { items, changeSets } = opened.catalogue;
    const axe = await items.create(ACTOR, { sandbox_id, ...anItem('Axe'), legacy_item_id: 1 });
    const bow = await items.create(ACTOR, { sandbox_id, ...anItem('Bow') });
    const { item_id } = bow;
    await items.delete(ACTOR, { sandbox_id, item_id, expected_version: 1 });
    const unknown = '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a11';
    const create = { kind: 'item', operation: 'create' } as const;
    const planned = await changeSets.addOperations(ACTOR, {
      ...refOf(set),
      operations: [
        { ...create, ...anItem('Axe'), item_id: axe.item_id },
        { kind: 'item', operation: 'update', item_id, expected_version: 2, name: 'B' },
        { kind: 'item', operation: 'delete', item_id: unknown, expected_version: 1 },
        { ...create, ...anItem('Club'), legacy_item_id: 1 },
        { ...create, ...anItem('Dagger'), legacy_item_id: 2 },
        { ...create, ...anItem('Epee'), legacy_item_id: 2 },
      ],
    });
    const shown = await preview(planned);
    expect(shown.operations.map(({ problem }) => problem?.error_code)).toEqual([
      'record_exists',
      'record_deleted',
      'record_not_found',
      'legacy_id_taken',
      undefined,
      'legacy_id_taken',
    ]);
    await expect(apply(planned)).rejects.toMatchObject({ evidence: { facts: { problems: 5 } } });
    expect(await expectChain(sandbox_id)).toBe(3);
  });

  test('with a deletion needs the authority in a protected sandbox', async () => {
    const { sandbox_id, set } = await aSet();
    const { items, changeSets, sandboxes } = opened.catalogue;
    const { item_id } = await items.create(ACTOR, { sandbox_id, ...anItem('Axe') });
    await sandboxes.update(
      ACTOR,
      { sandbox_id, protected: true, required_approvals: 0 },
      NO_AUTHORITY,
    );
    const planned = await changeSets.addOperations(ACTOR, {
      ...refOf(set),
      operations: [{ kind: 'item', operation: 'delete', item_id, expected_version: 1 }],
    });
    await expect(apply(planned)).rejects.toMatchObject({ code: 'sandbox_protected' });
    const input = { ...refOf(planned), expected_revision: planned.revision };
    const admin = { administers: true, confirmedName: 'Live' };
    await expect(
      changeSets.apply(ACTOR, input, { ...admin, confirmedName: undefined }),
    ).rejects.toMatchObject({ code: 'sandbox_confirmation_required' });
    expect(await changeSets.apply(ACTOR, input, admin)).toMatchObject({ head_seq: 2 });
  });

  test('is not applied when it is cancelled, changed since, or in an archived sandbox', async () => {
    const { sandbox_id, set } = await aSet();
    const { changeSets, sandboxes } = opened.catalogue;
    await expect(apply({ ...set, revision: 2 })).rejects.toMatchObject({
      code: 'change_set_revision_conflict',
    });
    const authority = { administers: true, confirmedName: 'Live' };
    await sandboxes.archive(ACTOR, { sandbox_id }, authority);
    await expect(apply(set)).rejects.toMatchObject({ code: 'sandbox_archived' });
    await expect(changeSets.cancel(ACTOR, refOf(set))).rejects.toMatchObject({
      code: 'sandbox_archived',
    });
    await sandboxes.unarchive(ACTOR, { sandbox_id });
    const cancelled = await changeSets.cancel(ACTOR, refOf(set));
    await expect(apply(cancelled)).rejects.toMatchObject({ code: 'change_set_closed' });
    await expect(changeSets.revert(ACTOR, refOf(set))).rejects.toMatchObject({
      code: 'change_set_closed',
    });
  });

  test('is previewed in pages, with the counts of all operations on the first', async () => {
    const { sandbox_id, set } = await aSet();
    const { changeSets } = opened.catalogue;
    const operations = Array.from({ length: 250 }, (_, index) => ({
      kind: 'item' as const,
      operation: 'create' as const,
      ...anItem(`Item ${index}`),
    }));
    await changeSets.addOperations(ACTOR, { ...refOf(set), operations });
    const names: string[] = [];
    const counts: unknown[] = [];
    let after: number | null = null;
    do {
      const page = await changeSets.preview(ACTOR, refOf(set), after, 90);
      names.push(...page.operations.map(({ name }) => name));
      counts.push(page.counts);
      after = page.next;
    } while (after !== null);
    expect(names).toEqual(operations.map(({ name }) => name));
    const all = { changes: 250, unchanged: 0, problems: 0, warnings: 0 };
    expect(counts).toEqual([all, undefined, undefined]);
    expect(await listItems(sandbox_id)).toEqual([]);
  });

  test('is purged with its sandbox', async () => {
    const { sandbox_id } = await aSet();
    const { database } = opened;
    const purge = createSandboxPurge({
      store: createSandboxPurgeStore(database),
      keptDays: 0,
      onPurged: () => {},
      onFailure: (error) => {
        throw error;
      },
    });
    const authority = { administers: true, confirmedName: 'Live' };
    await opened.catalogue.sandboxes.delete(ACTOR, { sandbox_id }, authority);
    await purge.run();
    expect(await database.prisma.changeSet.count({ where: { sandboxId: sandbox_id } })).toBe(0);
  });
});
