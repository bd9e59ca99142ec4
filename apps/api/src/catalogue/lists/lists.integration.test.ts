import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SandboxInputs } from '../records/record-inputs.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, anXp, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
let sandbox_id: string;
beforeAll(async () => {
  opened = await openTestCatalogue();
  sandbox_id = await opened.addSandbox();
  const names = ['Straße', 'axe', 'Bow', 'AXE of 100%', 'Club', 'axe_2'];
  for (const name of names)
    await opened.catalogue.items.create(ACTOR, { sandbox_id, ...anItem(name) });
});
afterAll(() => opened.close());

const list = (query: {
  name?: string;
  cursor?: string;
  page_size?: number;
  all?: boolean;
  trash?: boolean;
}) =>
  opened.catalogue.items.list({
    sandbox_id,
    name: query.name,
    cursor: query.cursor,
    page_size: query.page_size ?? 50,
    include_deleted: query.all ?? false,
    only_deleted: query.trash,
  });

const namesOf = (page: { records: { name: string }[] }) => page.records.map(({ name }) => name);

describe('records', () => {
  test('are sorted by name without case, each once, with every page size', async () => {
    const all = namesOf(await list({}));
    expect(all.map((name) => name.toLowerCase())).toEqual(
      expect.arrayContaining(['axe', 'axe of 100%', 'axe_2', 'bow', 'club', 'straße']),
    );
    expect(all.indexOf('axe')).toBeLessThan(all.indexOf('Bow'));
    for (const page_size of [1, 2, 4, 6]) {
      const listed: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ page_size, ...(cursor && { cursor }) });
        listed.push(...namesOf(page));
        cursor = page.page_meta.cursor;
      } while (cursor);
      expect(listed).toEqual(all);
    }
  });

  test.each([
    ['AXE', ['axe', 'AXE of 100%', 'axe_2']],
    ['0%', ['AXE of 100%']],
    ['_', ['axe_2']],
    ['STRASSE', ['Straße']],
    ['nothing', []],
  ])('are found by %s in their current name', async (name, expected) => {
    expect(namesOf(await list({ name })).toSorted()).toEqual(expected.toSorted());
  });

  test('are counted only with the first page of a list', async () => {
    const first = await list({ name: 'axe', page_size: 2 });
    expect(first.page_meta.total).toBe(3);
    const { cursor = '' } = first.page_meta;
    const second = await list({ name: 'axe', page_size: 2, cursor });
    expect(second.page_meta).toEqual({ page_size: 2 });
    expect((await list({ name: 'axe' })).page_meta.total).toBe(3);
    expect((await list({ name: 'nothing' })).page_meta.total).toBe(0);
  });

  test('that are deleted are listed only on request, and an old name finds none', async () => {
    const gone = await opened.catalogue.items.create(ACTOR, { sandbox_id, ...anItem('Net') });
    const { item_id } = gone;
    const edit = { sandbox_id, item_id };
    await opened.catalogue.items.update(ACTOR, { ...edit, expected_version: 1, name: 'Rope' });
    expect(namesOf(await list({ name: 'net' }))).toEqual([]);
    await opened.catalogue.items.delete(ACTOR, { ...edit, expected_version: 2 });
    expect(namesOf(await list({ name: 'rope' }))).toEqual([]);
    const { records } = await list({ name: 'rope', all: true });
    expect(records).toMatchObject([{ item_id, deleted: true, version: 3 }]);
    expect(namesOf(await list({ trash: true }))).toEqual(['Rope']);
  });

  test('of an unknown sandbox, and invalid cursors, are refused', async () => {
    for (const cursor of ['0', 'x', '💥', Buffer.from('["\\u0000","x"]').toString('base64url')]) {
      await expect(list({ cursor })).rejects.toMatchObject({ code: 'input_invalid' });
    }
    const elsewhere = opened.catalogue.items.list({
      sandbox_id: '00000000-0000-4000-8000-00000000dead',
      page_size: 5,
      include_deleted: false,
    });
    await expect(elsewhere).rejects.toMatchObject({ code: 'sandbox_not_found' });
  });
});

describe('sandboxes', () => {
  test('are created once under an id, with an audit record', async () => {
    const id = '00000000-0000-4000-8000-0000000000aa';
    const input = { name: 'Test', sandbox_id: id };
    const created = await opened.catalogue.sandboxes.create(ACTOR, input);
    expect(created).toMatchObject({ sandbox_id: id, name: 'Test', head_seq: 0, item_versions: 0 });
    const again = opened.catalogue.sandboxes.create(ACTOR, input);
    await expect(again).rejects.toMatchObject({ code: 'sandbox_exists' });
    const where = { sandboxId: id };
    expect(await opened.database.prisma.auditRecord.count({ where })).toBe(1);
  });

  test('are listed if the caller may view them', async () => {
    const staging = await opened.addSandbox('Staging');
    const names = async (...permissions: string[]) => {
      const query = SandboxInputs.list.parse({});
      const { sandboxes } = await opened.catalogue.sandboxes.list(permissions, query);
      return sandboxes.map(({ name }) => name);
    };
    const all = ['Live', 'Staging', 'Test'];
    expect(await names('sandbox:config:view')).toEqual(all);
    expect(await names('*')).toEqual(all);
    expect(await names(`sandbox:${staging}:config:edit`)).toEqual(['Staging']);
    expect(await names(`sandbox:${staging.toUpperCase()}:*`)).toEqual(['Staging']);
    expect(await names(`sandbox:${staging}:other`, 'session:*', 'sandbox:x:*')).toEqual([]);
    const first = await opened.catalogue.sandboxes.list(['*'], { status: 'active', page_size: 2 });
    const { cursor } = first.page_meta;
    const page = { status: 'active' as const, page_size: 2, cursor };
    const second = await opened.catalogue.sandboxes.list(['*'], page);
    expect(second).toMatchObject({ sandboxes: [{ name: 'Test' }], page_meta: { page_size: 2 } });
    expect(second.page_meta).not.toHaveProperty('cursor');
  });
});

describe('sorted lists', () => {
  const ITEM_SORTS = ['name', 'item_type', 'version', 'updated'] as const;
  const XP_SORTS = ['name', 'levels', 'top', 'version', 'updated'] as const;
  const ORDERS = ['asc', 'desc'] as const;
  const PLACES = ORDERS.flatMap((order) => [
    ...ITEM_SORTS.map((sort) => ({ kind: 'items' as const, sort, order })),
    ...XP_SORTS.map((sort) => ({ kind: 'xp' as const, sort, order })),
  ]);
  type Place = (typeof PLACES)[number];
  type Listed = Record<string, unknown> & { name: string; version: number; updated: string };

  let sorted_id: string;
  beforeAll(async () => {
    sorted_id = await opened.addSandbox();
    const at = { sandbox_id: sorted_id };
    // Each bulk has one time; names are used by two records, and every value by some.
    const names = ['Net', 'axe', 'Net', 'Bow', 'axe', 'Club'];
    const types = ['unit', 'recipe', 'unit', 'entitlement', 'recipe', 'unit'] as const;
    const steps = [[], [-5], [7, 9], [-5], [7, 9], [2, 9]];
    const levelsOf = (step: number[]) => step.map((xp, level) => ({ level, xp }));
    for (const round of [0, 1]) {
      const { items, xp } = opened.catalogue;
      const added = await items.bulk(ACTOR, {
        ...at,
        operations: names.map((name, index) => ({
          operation: 'create' as const,
          ...anItem(name),
          item_type: types[(index + round) % types.length] ?? 'unit',
          tags: index % 2 === 0 ? ['even', 'first'] : ['odd'],
          custom_data: index % 3 === 0 ? { third: 'yes' } : {},
        })),
      });
      const tables = await xp.bulk(ACTOR, {
        ...at,
        operations: names.map((name, index) => ({
          operation: 'create' as const,
          ...anXp(name),
          xp_thresholds: levelsOf(steps[(index + round) % steps.length] ?? []),
        })),
      });
      const edit = { ...at, expected_version: 1, description: 'edited' };
      for (const { item_id } of added.records.slice(3)) {
        await items.update(ACTOR, { ...edit, item_id });
      }
      for (const { xp_id } of tables.records.slice(3)) await xp.update(ACTOR, { ...edit, xp_id });
    }
  });

  const page = async (
    { kind, ...place }: Place & { filter?: object },
    page_size: number,
    cursor?: string,
  ) => {
    const { filter, ...order } = place;
    const at = { sandbox_id: sorted_id, include_deleted: false };
    const query = { ...at, ...order, ...filter, page_size, cursor };
    const listed = await opened.catalogue[kind].list(query as never);
    return { records: listed.records as unknown as Listed[], next: listed.page_meta.cursor };
  };

  const thresholdsOf = ({ xp_thresholds }: Listed) => xp_thresholds as { xp: number }[];
  const idOf = (record: Listed) => String(record.item_id ?? record.xp_id);
  const VALUES: Record<Place['sort'], (record: Listed) => string | number> = {
    name: () => '',
    item_type: ({ item_type }) => String(item_type),
    version: ({ version }) => version,
    updated: ({ updated }) => updated,
    levels: (record) => thresholdsOf(record).length,
    top: (record) => thresholdsOf(record).at(-1)?.xp ?? 0,
  };
  const compare = (left: string | number, right: string | number) =>
    left === right ? 0 : left < right ? -1 : 1;

  /** Each filter makes a different statement. */
  const FILTERS: { filter: Record<string, string>; keeps: (record: Listed) => boolean }[] = [
    { filter: {}, keeps: () => true },
    { filter: { name: 'e' }, keeps: ({ name }) => /e/.test(name) },
  ];
  const OF_ITEMS: typeof FILTERS = [
    { filter: { item_type: 'recipe' }, keeps: ({ item_type }) => item_type === 'recipe' },
    { filter: { item_type: 'cosmetic' }, keeps: () => false },
    { filter: { tag: 'odd' }, keeps: ({ tags }) => (tags as string[]).includes('odd') },
    { filter: { custom_key: 'third' }, keeps: (item) => 'third' in (item.custom_data as object) },
    {
      filter: { name: 'n', item_type: 'unit', tag: 'even' },
      keeps: (item) => item.name === 'Net' && item.item_type === 'unit',
    },
  ];
  const LISTS = PLACES.flatMap((place) =>
    [...FILTERS, ...(place.kind === 'items' ? OF_ITEMS : [])].map((each) => ({
      ...place,
      ...each,
    })),
  );

  test.each(LISTS)(
    'of $kind by $sort, $order, filtered by $filter, break ties by name and id, and return each record once with every page size',
    async ({ keeps, ...place }) => {
      const { filter: _, ...unfiltered } = place;
      const { records: present } = await page(unfiltered, 50);
      expect(present).toHaveLength(12);
      const read = VALUES[place.sort];
      const ascending = present
        .filter(keeps)
        .toSorted(
          (left, right) =>
            compare(read(left), read(right)) ||
            compare(left.name.toLowerCase(), right.name.toLowerCase()) ||
            compare(idOf(left), idOf(right)),
        );
      const expected = (place.order === 'asc' ? ascending : ascending.toReversed()).map(idOf);
      for (const size of [1, 2, 5, 50]) {
        const walked: string[] = [];
        let cursor: string | undefined;
        do {
          const { records, next } = await page(place, size, cursor);
          walked.push(...records.map(idOf));
          cursor = next;
        } while (cursor);
        expect(walked).toEqual(expected);
      }
    },
  );

  test.each(PLACES)('of $kind by $sort, $order, refuse the cursor of another', async (place) => {
    const { next } = await page(place, 1);
    const others = PLACES.filter(({ kind, sort, order }) => {
      return kind === place.kind && (sort !== place.sort || order !== place.order);
    });
    for (const other of others) {
      await expect(page(other, 1, next)).rejects.toMatchObject({ code: 'input_invalid' });
    }
  });
});
