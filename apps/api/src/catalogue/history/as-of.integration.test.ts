// The list as of each position equals a replay of the versions up to it, also during writes.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from '../testing/open-test-catalogue.ts';
import type { Reader } from './history-reader.ts';

let opened: TestCatalogue;
let reader: Reader;
beforeAll(async () => {
  opened = await openTestCatalogue();
  reader = opened.catalogue.reader;
});
afterAll(() => opened.close());

const readAllPages = async (
  sandboxId: string,
  seq: number | undefined,
  pageSize: number,
  between = async () => {},
) => {
  const records: { record: unknown; version_id: string }[] = [];
  let after: { seq: number; recordId: string } | null = null;
  do {
    const question = { sandboxId, kind: 'item' as const, at: undefined, name: undefined };
    const page = await reader.listAsOf({ ...question, seq, after, pageSize });
    records.push(...page.records.map(({ record, version_id }) => ({ record, version_id })));
    after = page.next;
    await between();
  } while (after);
  return records;
};

const replay = async (sandboxId: string, seq: number) => {
  const versions = await opened.database.prisma.catalogueVersion.findMany({
    where: { sandboxId, kind: 'item', seq: { lte: seq } },
    orderBy: { seq: 'asc' },
  });
  const live = new Map<string, { record: unknown; version_id: string }>();
  for (const { recordId, operation, snapshot, versionId } of versions) {
    if (operation === 'delete') live.delete(recordId);
    else live.set(recordId, { record: JSON.parse(snapshot), version_id: versionId });
  }
  return [...live.entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, record]) => record);
};

/** Which of five records to touch: a missing one is created, a deleted one restored. */
const edits = fc.array(
  fc.record({ record: fc.nat(4), change: fc.constantFrom('update', 'delete') }),
  { minLength: 1, maxLength: 15 },
);

const apply = async (sandbox_id: string, list: { record: number; change: string }[]) => {
  const { items } = opened.catalogue;
  const states = new Map<number, { item_id: string; version: number; deleted?: true }>();
  for (const [index, { record, change }] of list.entries()) {
    const state = states.get(record);
    if (!state) {
      states.set(record, await items.create(ACTOR, { sandbox_id, ...anItem(`Item ${record}`) }));
      continue;
    }
    const edit = { sandbox_id, item_id: state.item_id, expected_version: state.version };
    const next = state.deleted
      ? await items.restore(ACTOR, edit)
      : change === 'delete'
        ? await items.delete(ACTOR, edit)
        : await items.update(ACTOR, { ...edit, description: `Edit ${index}` });
    states.set(record, next);
  }
};

test('lists the records as of each position like a replay up to it', async () => {
  await fc.assert(
    fc.asyncProperty(edits, async (list) => {
      const sandboxId = await opened.addSandbox();
      await apply(sandboxId, list);
      for (let seq = 0; seq <= list.length; seq += 1) {
        expect(await readAllPages(sandboxId, seq, 2)).toEqual(await replay(sandboxId, seq));
      }
    }),
    { numRuns: 10 },
  );
});

test('shows the state at the first page while other clients write', async () => {
  const sandboxId = await opened.addSandbox();
  const { items } = opened.catalogue;
  for (let index = 0; index < 6; index += 1) {
    await items.create(ACTOR, { sandbox_id: sandboxId, ...anItem(`Item ${index}`) });
  }
  const expected = await replay(sandboxId, 6);
  const listed = await readAllPages(sandboxId, undefined, 2, async () => {
    const page = { page_size: 10, include_deleted: false };
    const { records } = await items.list({ sandbox_id: sandboxId, ...page });
    for (const { item_id, version } of records) {
      const edit = { sandbox_id: sandboxId, item_id, expected_version: version };
      await items.update(ACTOR, { ...edit, name: `Changed ${version}` });
    }
    await items.create(ACTOR, { sandbox_id: sandboxId, ...anItem('Late') });
  });
  expect(listed).toEqual(expected);
});
