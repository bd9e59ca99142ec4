// The nil UUID is a valid id, and the first one: no list sorted by id may skip it.
import { beforeEach, expect, test } from 'vitest';
import { useTransferCatalogue } from './transfer-client.ts';

const opened = useTransferCatalogue();

const NIL = '00000000-0000-0000-0000-000000000000';
const NEXT = '00000000-0000-0000-0000-000000000001';

let sandbox: string;
beforeEach(async () => {
  const { mutate } = opened.client;
  ({ sandbox_id: sandbox } = await mutate('sandboxes.create', { name: 'Edge' }));
  for (const item_id of [NEXT, NIL]) {
    await mutate('items.create', { sandbox_id: sandbox, item_id, name: 'A', item_type: 'unit' });
  }
});

type Page = { page_meta: { cursor?: string } };

/** All pages of one entry each. */
const walk = async <P extends Page>(procedure: string, input: object): Promise<P[]> => {
  const pages: P[] = [];
  let cursor: string | undefined;
  do {
    const asked = { sandbox_id: sandbox, page_size: 1, ...input, ...(cursor && { cursor }) };
    const page: P = await opened.client.query(procedure, asked);
    pages.push(page);
    cursor = page.page_meta.cursor;
  } while (cursor);
  return pages;
};

test('is in the list of records', async () => {
  type Records = Page & { records: { item_id: string }[] };
  const pages = await walk<Records>('items.list', {});
  expect(pages.map(({ records }) => records[0]?.item_id)).toEqual([NIL, NEXT]);
});

test('is among the records as of a position', async () => {
  type Records = Page & { records: { record: { item_id: string } }[] };
  const pages = await walk<Records>('records.asOf', { kind: 'item' });
  expect(pages.map(({ records }) => records[0]?.record.item_id)).toEqual([NIL, NEXT]);
});

test.each([
  ['only in the source', undefined],
  ['only in the source', 'only_source'],
  ['only in the target', undefined],
  ['only in the target', 'only_target'],
])('is compared where it is %s, asked for %s', async (where, status) => {
  const other = await opened.client.mutate('sandboxes.create', { name: 'Empty' });
  const pair =
    where === 'only in the source'
      ? { sandbox_id: other.sandbox_id, source_sandbox_id: sandbox }
      : { sandbox_id: sandbox, source_sandbox_id: other.sandbox_id };
  type Entries = Page & { entries: { record_id: string }[] };
  const pages = await walk<Entries>('compare.list', {
    ...pair,
    kind: 'item',
    ...(status && { status }),
  });
  expect(pages.map(({ entries }) => entries[0]?.record_id)).toEqual([NIL, NEXT]);
});

test('is exported first, also as a single page from the start', async () => {
  const ids = async (query = {}) => {
    const response = await opened.client.exportFile(sandbox, 'item', query);
    const lines = (await response.text()).split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line).item_id);
  };
  expect(await ids()).toEqual([NIL, NEXT]);
  expect(await ids({ after: NIL })).toEqual([NEXT]);
});

test('is deleted by an import that lacks it', async () => {
  const { counts, operations } = await opened.client.draft(
    sandbox,
    'item',
    { delete_missing: true },
    JSON.stringify({ item_id: NEXT, name: 'A', item_type: 'unit' }),
  );
  expect(counts).toMatchObject({ delete: 1, unchanged: 1 });
  expect(operations).toEqual([expect.objectContaining({ operation: 'delete', record_id: NIL })]);
});
