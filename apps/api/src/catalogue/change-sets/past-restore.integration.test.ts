import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSetCalls, refOf } from '../testing/change-set-calls.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, anXp, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const { apply, preview, expectChain, readContents } = createSetCalls(() => opened);

/** The time of the newest version. Waits for the next millisecond, so that later versions have another time. */
const markMoment = async (sandboxId: string): Promise<string> => {
  const { _max } = await opened.database.prisma.catalogueVersion.aggregate({
    where: { sandboxId },
    _max: { issuedAt: true },
  });
  const newest = _max.issuedAt ?? new Date(0);
  while (Date.now() <= newest.getTime()) await new Promise((resolve) => setImmediate(resolve));
  return newest.toISOString();
};

/** Three Items at a moment. Since then one has changed, one was deleted, one is the same, and one is new. */
const makePast = async () => {
  const sandbox_id = await opened.addSandbox();
  const { items } = opened.catalogue;
  const create = (name: string) =>
    items.create(ACTOR, { sandbox_id, ...anItem(name), custom_data: { price: '100' } });
  const [axe, bow, club] = [await create('Axe'), await create('Bow'), await create('Club')];
  const before = await readContents(sandbox_id);
  const at = await markMoment(sandbox_id);
  const edit = { sandbox_id, expected_version: 1 };
  await items.update(ACTOR, {
    ...edit,
    item_id: axe.item_id,
    name: 'Great axe',
    custom_data: { price: '80' },
  });
  await items.delete(ACTOR, { ...edit, item_id: bow.item_id });
  const dart = await create('Dart');
  return { sandbox_id, at, before, axe, bow, club, dart };
};

const restore = (input: { sandbox_id: string; at: string; record_ids?: string[]; name?: string }) =>
  opened.catalogue.changeSets.restorePast(ACTOR, { kind: 'item', ...input });

describe('a change set that returns records to a moment', () => {
  test('restores all that have changed or been deleted since, and keeps new ones', async () => {
    const { sandbox_id, at, before, dart } = await makePast();
    const draft = await restore({ sandbox_id, at });
    expect(draft).toMatchObject({ state: 'draft', operation_count: 2, author_id: 'editor-1' });
    expect(draft.title).toBe(`Restore 2 Items to ${at.slice(0, 16).replace('T', ' ')} UTC`);
    expect(await preview(draft)).toMatchObject({
      counts: { changes: 2, unchanged: 0, problems: 0 },
    });
    await apply(draft);
    const contents = await readContents(sandbox_id);
    expect(contents.filter(({ item_id }) => item_id !== dart.item_id)).toEqual(before);
    expect(contents).toHaveLength(4);
    await expectChain(sandbox_id);
    expect(await restore({ sandbox_id, at })).toMatchObject({ operation_count: 0 });
  });

  test('restores only the chosen records, or those with the name of that time', async () => {
    const { sandbox_id, at, axe, bow, club } = await makePast();
    const record_ids = [bow.item_id, club.item_id];
    // A legacy id is kept, so the club does not change.
    const { items } = opened.catalogue;
    const edit = { sandbox_id, item_id: club.item_id, expected_version: 1 };
    await items.update(ACTOR, { ...edit, legacy_item_id: 8 });
    const chosen = await restore({ sandbox_id, at, record_ids });
    expect(chosen).toMatchObject({ operation_count: 1 });
    expect(chosen.title).toMatch(/^Restore Bow to /);
    const named = await restore({ sandbox_id, at, name: 'AXE' });
    const { operations } = await preview(named);
    expect(operations).toMatchObject([{ record_id: axe.item_id, operation: 'restore' }]);
    expect(await restore({ sandbox_id, at, name: 'great' })).toMatchObject({ operation_count: 0 });
    const early = await restore({ sandbox_id, at: '2000-01-01T00:00:00Z' });
    expect(early).toMatchObject({ operation_count: 0 });
  });

  test('keeps a legacy id that was set since, and shows later edits as conflicts', async () => {
    const { sandbox_id, at, axe } = await makePast();
    const { items } = opened.catalogue;
    const edit = { sandbox_id, item_id: axe.item_id };
    await items.update(ACTOR, { ...edit, expected_version: 2, legacy_item_id: 7 });
    const draft = await restore({ sandbox_id, at, record_ids: [axe.item_id] });
    await items.update(ACTOR, { ...edit, expected_version: 3, name: 'Other axe' });
    expect(await preview(draft)).toMatchObject({ counts: { problems: 1 } });
    await apply(await restore({ sandbox_id, at, record_ids: [axe.item_id] }));
    expect(await items.get(edit)).toMatchObject({ name: 'Axe', legacy_item_id: 7 });
  });

  test('restores Xp tables in batches, and is in the audit log', async () => {
    const sandbox_id = await opened.addSandbox();
    const { xp } = opened.catalogue;
    const create = { operation: 'create' as const, ...anXp('Levels') };
    const made = await xp.bulk(ACTOR, { sandbox_id, operations: Array(250).fill(create) });
    const at = await markMoment(sandbox_id);
    const operations = made.records.map(({ xp_id }) => {
      return { operation: 'delete' as const, xp_id, expected_version: 1 };
    });
    await xp.bulk(ACTOR, { sandbox_id, operations });
    const draft = await opened.catalogue.changeSets.restorePast(ACTOR, {
      sandbox_id,
      kind: 'xp',
      at,
      title: 'Levels again',
      reason: 'Deleted by mistake',
    });
    expect(draft).toMatchObject({ title: 'Levels again', operation_count: 250 });
    await apply(draft);
    expect(
      await opened.catalogue.xp.list({ sandbox_id, include_deleted: false, page_size: 1 }),
    ).toMatchObject({ page_meta: { total: 250 } });
    const target = { change_set_id: refOf(draft).change_set_id };
    const records = await opened.database.prisma.auditRecord.findMany({
      where: { sandboxId: sandbox_id, action: 'changeSets.restorePast' },
    });
    expect(records).toMatchObject([{ target, reason: 'Deleted by mistake' }]);
  });

  test('is refused for a sandbox that does not exist or is archived', async () => {
    const { sandbox_id, at } = await makePast();
    await opened.catalogue.sandboxes.archive(
      ACTOR,
      { sandbox_id },
      {
        administers: true,
        confirmedName: undefined,
      },
    );
    await expect(restore({ sandbox_id, at })).rejects.toMatchObject({ code: 'sandbox_archived' });
    const unknown = '00000000-0000-4000-8000-00000000dead';
    await expect(restore({ sandbox_id: unknown, at })).rejects.toMatchObject({
      code: 'sandbox_not_found',
    });
  });
});
