// Pages of the largest records that the contract allows: limited by bytes and continued by their cursor.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGE_BYTES } from '../pagination.ts';
import type { HistoryClient } from '../testing/history-client.ts';
import { openHistoryClient } from '../testing/history-client.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
let client: HistoryClient;
beforeAll(async () => {
  opened = await openTestCatalogue();
  client = await openHistoryClient({ reader: opened.catalogue.reader, access: 'public' });
});
afterAll(async () => {
  await client.close();
  await opened.close();
});

/** All texts have their maximum length. */
const WIDE = {
  description: '𝄞'.repeat(4_096),
  tags: Array.from({ length: 100 }, (_, index) => `${index} ${'𝄞'.repeat(124)}`),
  custom_data: Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, 'ü'.repeat(2_048)])),
};
const WIDE_BYTES = Buffer.byteLength(JSON.stringify(WIDE));
const VERSIONS = 60;

const writeVersions = async (): Promise<string> => {
  const sandbox_id = await opened.addSandbox();
  const { items } = opened.catalogue;
  const { item_id } = await items.create(ACTOR, {
    sandbox_id,
    ...anItem('wide 0'),
    ...WIDE,
  });
  for (let version = 1; version < VERSIONS; version += 1) {
    const target = { sandbox_id, item_id, expected_version: version };
    await items.update(ACTOR, { ...target, name: `wide ${version}` });
  }
  return sandbox_id;
};

test.each(['desc', 'asc'] as const)(
  'pages in %s order contain each version once and have bounded bytes',
  async (sort_order) => {
    const sandboxId = await writeVersions();
    for (const filter of [{}, { name: 'wide' }]) {
      const pages = await client.readAllPages(sandboxId, {
        sort_order,
        page_size: 1_000,
        ...filter,
      });
      const names = pages.flatMap(({ transactions }) =>
        transactions.map(({ version_name }) => version_name),
      );
      const expected = Array.from({ length: VERSIONS }, (_, version) => `wide ${version}`);
      expect(names).toEqual(sort_order === 'asc' ? expected : expected.reverse());
      expect(pages.length).toBeGreaterThan(1);
      for (const page of pages) {
        expect(page.page_meta).toMatchObject({ page_size: 1_000, total: VERSIONS });
        expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(PAGE_BYTES + 2 * WIDE_BYTES);
      }
    }
  },
);

test('pages with one wide version each have the requested size', async () => {
  const sandboxId = await writeVersions();
  const pages = await client.readAllPages(sandboxId, { page_size: 2 });
  expect(pages.map(({ transactions }) => transactions.length)).toEqual(Array(VERSIONS / 2).fill(2));
});
