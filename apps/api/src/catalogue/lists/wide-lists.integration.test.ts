// Lists of the largest records: limited by bytes and continued by their cursor; responses without a cursor are refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGE_BYTES } from '../pagination.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from '../testing/open-test-catalogue.ts';

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

test('a promotion of wide records is previewed in pages of bounded bytes, and applied', async () => {
  const { changeSets } = opened.catalogue;
  const set = await changeSets.promote(ACTOR, {
    sandbox_id: emptyId,
    source_sandbox_id: sandbox_id,
    kind: 'item',
    include_referenced: true,
  });
  const { change_set_id, revision } = set;
  const place = { sandbox_id: emptyId, change_set_id };
  const names: string[] = [];
  let pages = 0;
  for (let after: number | null = null, isLast = false; !isLast; pages += 1) {
    const page: Awaited<ReturnType<typeof changeSets.preview>> = await changeSets.preview(
      ACTOR,
      place,
      after,
      200,
    );
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(PAGE_BYTES + 3 * WIDE_BYTES);
    names.push(...page.operations.map(({ name }) => name));
    after = page.next;
    isLast = after === null;
  }
  expect(pages).toBeGreaterThan(1);
  expect(names.sort()).toEqual(NAMES);
  const authority = { administers: false, confirmedName: undefined };
  const apply = { ...place, expected_revision: revision };
  expect(await changeSets.apply(ACTOR, apply, authority)).toMatchObject({ head_seq: RECORDS });
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
});
