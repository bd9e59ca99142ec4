import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SandboxInputs } from './record-inputs.ts';
import type { TestCatalogue } from './testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from './testing/open-test-catalogue.ts';

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
  test('come by name without case, each once, whatever the page size', async () => {
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

  test('are counted with the first page of a list, and with no other', async () => {
    const first = await list({ name: 'axe', page_size: 2 });
    expect(first.page_meta.total).toBe(3);
    const { cursor = '' } = first.page_meta;
    const second = await list({ name: 'axe', page_size: 2, cursor });
    expect(second.page_meta).toEqual({ page_size: 2 });
    expect((await list({ name: 'axe' })).page_meta.total).toBe(3);
    expect((await list({ name: 'nothing' })).page_meta.total).toBe(0);
  });

  test('that are deleted come on request only, and an old name finds none', async () => {
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

  test('of an unknown sandbox and made-up cursors are refused', async () => {
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

  test('are listed as far as the caller may view them', async () => {
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
