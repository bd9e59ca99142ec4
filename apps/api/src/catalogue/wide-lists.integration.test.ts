// Lists of the largest records: limited by bytes and continued by their cursor; responses without a cursor are refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGE_BYTES } from './pagination.ts';
import type { TestCatalogue } from './testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from './testing/open-test-catalogue.ts';

let opened: TestCatalogue;
let sandbox_id: string;
let emptyId: string;
const recordIds: string[] = [];

/** Half a megabyte each, as records from before the limit on maps may have. */
const WIDE = Object.fromEntries(
  Array.from({ length: 64 }, (_, index) => [`entry-${index}`, 'ü'.repeat(4_096)]),
);
const WIDE_BYTES = 64 * 4_096 * 2;
const RECORDS = 20;
const NAMES = Array.from({ length: RECORDS }, (_, index) => `wide ${index + 10}`);

beforeAll(async () => {
  opened = await openTestCatalogue();
  sandbox_id = await opened.addSandbox();
  emptyId = await opened.addSandbox('Empty');
  for (const name of NAMES) {
    const item = { sandbox_id, ...anItem(name), custom_data: WIDE };
    recordIds.push((await opened.catalogue.items.create(ACTOR, item)).item_id);
  }
});
afterAll(() => opened.close());

type Page = { names: string[]; bytes: number; next: unknown };

const walk = async (
  read: (cursor: never) => Promise<[names: string[], next: unknown, all: unknown]>,
) => {
  const pages: Page[] = [];
  for (let next: unknown; pages.length === 0 || next != null; ) {
    const [names, after, all] = await read(next as never);
    next = after;
    pages.push({ names, bytes: Buffer.byteLength(JSON.stringify(all)), next });
  }
  return pages;
};

const kind = 'item' as const;
const LISTS = {
  records: () =>
    walk(async (cursor?: string) => {
      const input = { sandbox_id, page_size: 200, include_deleted: false, cursor };
      const page = await opened.catalogue.items.list(input);
      return [page.records.map(({ name }) => name), page.page_meta.cursor, page];
    }),
  'records as of a moment': () =>
    walk(async (after: { seq: number; recordId: string } | null = null) => {
      const when = { at: undefined, seq: undefined, name: 'WIDE', after, pageSize: 200 };
      const page = await opened.catalogue.reader.listAsOf({ sandboxId: sandbox_id, kind, ...when });
      return [page.records.map(({ record }) => record.name), page.next, page];
    }),
  'a comparison': () =>
    walk(async (after: never) => {
      const pair = { source: sandbox_id, target: emptyId, kind };
      const wanted = { status: undefined, after: after ?? null, pageSize: 200 };
      const page = await opened.catalogue.compare.list({ ...pair, ...wanted, sourceAt: undefined });
      return [page.entries.map(({ name }) => name), page.next, page];
    }),
};

test.each(Object.entries(LISTS))('%s: each once, in pages of bounded bytes', async (_, list) => {
  const pages = await list();
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flatMap(({ names }) => names).sort()).toEqual(NAMES);
  for (const { bytes } of pages) expect(bytes).toBeLessThan(PAGE_BYTES + 3 * WIDE_BYTES);
});

test('a bulk edit with a too large response is refused and changes nothing', async () => {
  const operations = [...recordIds, ...recordIds].map((item_id, index) => ({
    operation: 'update' as const,
    item_id,
    name: `renamed ${index}`,
    expected_version: index < RECORDS ? 1 : 2,
  }));
  const { items } = opened.catalogue;
  await expect(items.bulk(ACTOR, { sandbox_id, operations })).rejects.toMatchObject({
    code: 'body_too_large',
  });
  const { records } = await items.list({ sandbox_id, page_size: 1, include_deleted: false });
  expect(records[0]).toMatchObject({ name: NAMES[0], version: 1 });
});

const promote = (
  sourceSandboxId: string,
  sandboxId: string,
  ids: string[],
  kind: 'item' | 'xp' = 'item',
) =>
  opened.catalogue.promotion.promote(
    ACTOR,
    {
      sandboxId,
      sourceSandboxId,
      kind,
      recordIds: ids,
      dryRun: true,
      expectedHeadSeq: undefined,
      expectedSourceHeadSeq: undefined,
      reason: undefined,
      includeReferenced: true,
      allowDangling: false,
    },
    { administers: true, confirmedName: undefined },
  );

test('a promotion with a too large response is refused, and a smaller one is applied', async () => {
  await expect(promote(sandbox_id, emptyId, recordIds)).rejects.toMatchObject({
    code: 'body_too_large',
  });
  const { operations } = await promote(sandbox_id, emptyId, recordIds.slice(0, 3));
  expect(operations).toHaveLength(3);
});

test('a promotion of records that are too large in the target is refused before they are read', async () => {
  const source = await opened.addSandbox('Small');
  await opened.catalogue.items.bulk(ACTOR, {
    sandbox_id: source,
    operations: recordIds.map((item_id) => ({
      operation: 'create' as const,
      item_id,
      ...anItem('small'),
    })),
  });
  await expect(promote(source, sandbox_id, recordIds)).rejects.toMatchObject({
    code: 'body_too_large',
  });
  const { operations } = await promote(source, sandbox_id, recordIds.slice(0, 3));
  expect(operations).toHaveLength(3);
});

test('some of the Xp tables that are too large together can be included, and the others have a reason', async () => {
  const source = await opened.addSandbox('Tables');
  const ids: string[] = [];
  for (const name of NAMES.slice(0, 8)) {
    const table = { sandbox_id: source, name, xp_thresholds: [], custom_data: WIDE };
    const { xp_id } = await opened.catalogue.xp.create(ACTOR, table);
    const item = { sandbox_id: source, ...anItem(name), level_xp_table_id: xp_id };
    ids.push((await opened.catalogue.items.create(ACTOR, item)).item_id);
  }
  const { dangling_references, operations } = await promote(source, emptyId, ids);
  const coming = dangling_references.filter(({ can_include }) => can_include);
  expect([coming.length, dangling_references.length, operations.length]).toEqual([4, 8, 12]);
  const others = dangling_references.filter(({ can_include }) => !can_include);
  for (const { desc } of others) expect(desc).toMatch(/too large to be included/);
});

describe('tables that differ in every level', () => {
  const levels = (factor: number) =>
    Array.from({ length: 1_000 }, (_, level) => ({ level, xp: factor * level + factor }));
  const addTables = async (count: number) => {
    const [source, target] = [await opened.addSandbox('Old'), await opened.addSandbox('New')];
    const create = (sandboxId: string, factor: number, ids: readonly (string | undefined)[]) =>
      opened.catalogue.xp.bulk(ACTOR, {
        sandbox_id: sandboxId,
        operations: ids.map((xp_id, index) => ({
          operation: 'create' as const,
          name: `table ${index}`,
          custom_data: {},
          xp_id,
          xp_thresholds: levels(factor),
        })),
      });
    const { records } = await create(source, 1, Array(count).fill(undefined));
    const ids = records.map(({ xp_id }) => xp_id);
    await create(target, 2, ids);
    return { source, target, ids };
  };

  test('are compared each once, in pages of bounded differences', async () => {
    const { source, target, ids } = await addTables(12);
    const found: string[][] = [];
    for (let after: never | null = null, isDone = false; !isDone; ) {
      const wanted = { kind: 'xp' as const, status: undefined, after, pageSize: 200 };
      const page = await opened.catalogue.compare.list({
        source,
        target,
        ...wanted,
        sourceAt: undefined,
      });
      found.push(page.entries.map(({ record_id }) => record_id));
      after = page.next as never;
      isDone = page.next === null;
    }
    expect(found.map(({ length }) => length)).toEqual([10, 2]);
    expect(found.flat()).toEqual(ids.toSorted());
  });

  test('are promoted if their differences can be shown', async () => {
    const { source, target, ids } = await addTables(80);
    await expect(promote(source, target, ids, 'xp')).rejects.toMatchObject({
      code: 'body_too_large',
      message: expect.stringContaining('differences'),
    });
    const { operations } = await promote(source, target, ids.slice(0, 10), 'xp');
    expect(operations.map(({ changes }) => changes.length)).toEqual(Array(10).fill(1_000));
  });
});
