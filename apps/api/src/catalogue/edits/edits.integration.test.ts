import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDemoData } from '../../cli/demo/index.ts';
import type { Catalogue } from '../catalogue.ts';
import { explainScans } from '../testing/explain.ts';
import { fillVersions } from '../testing/fill-versions.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import {
  ACTOR,
  anItem,
  anXp,
  createTestCatalogue,
  openTestCatalogue,
} from '../testing/open-test-catalogue.ts';
import type { EditAnswer } from './edit-service.ts';
import { LIST_EDITS, MAX_PAGE_VERSIONS } from './edit-store.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const walk = async ({ edits }: Catalogue, sandboxId: string): Promise<EditAnswer[][]> => {
  const pages: EditAnswer[][] = [];
  let after: number | null = null;
  do {
    const page = await edits.list(sandboxId, after, 200);
    pages.push(page.edits);
    after = page.next;
  } while (after !== null);
  return pages;
};

test('an edit has all versions of its transaction, whatever procedure wrote them', async () => {
  const sandbox_id = await opened.addSandbox();
  const { items, xp, edits } = opened.catalogue;
  const axe = await items.create(ACTOR, { sandbox_id, ...anItem('Axe') });
  const levels = await xp.create(ACTOR, { sandbox_id, ...anXp('Levels'), reason: 'Season 2' });
  const edit = { item_id: axe.item_id, operation: 'update' as const };
  const { transaction_id } = await items.bulk(ACTOR, {
    sandbox_id,
    operations: [
      { ...edit, expected_version: 1, name: 'Great axe', tags: ['big'] },
      { ...edit, expected_version: 2, description: 'Heavy' },
      { operation: 'create', ...anItem('Bow') },
    ],
  });
  const page = await edits.list(sandbox_id, null, 50);
  expect(page).toEqual({
    edits: [
      {
        transaction_id,
        issued_at: expect.any(String),
        account_id: 'editor-1',
        first_seq: 3,
        last_seq: 5,
        counts: [
          { kind: 'item', operation: 'insert', records: 1 },
          { kind: 'item', operation: 'update', records: 1 },
        ],
        changed_fields: ['custom_data', 'description', 'item_type', 'name', 'tags'],
      },
      expect.objectContaining({
        transaction_id: levels.transaction_id,
        issued_at: levels.updated,
        reason: 'Season 2',
        counts: [{ kind: 'xp', operation: 'insert', records: 1 }],
        name: 'Levels',
        record_id: levels.xp_id,
      }),
      expect.objectContaining({ transaction_id: axe.transaction_id, first_seq: 1, name: 'Axe' }),
    ],
    next: null,
  });
});

test('a walk has each edit once, also while others are written', async () => {
  const sandbox_id = await opened.addSandbox();
  const { items, edits } = opened.catalogue;
  for (const name of ['a', 'b', 'c']) await items.create(ACTOR, { sandbox_id, ...anItem(name) });
  const first = await edits.list(sandbox_id, null, 2);
  await items.create(ACTOR, { sandbox_id, ...anItem('d') });
  const second = await edits.list(sandbox_id, first.next, 2);
  expect([...first.edits, ...second.edits].map(({ name }) => name)).toEqual(['c', 'b', 'a']);
  expect(second.next).toBeNull();
});

test('a sandbox without edits has an empty list, and one that does not exist has none', async () => {
  const { edits } = opened.catalogue;
  expect(await edits.list(await opened.addSandbox(), null, 50)).toEqual({ edits: [], next: null });
  const unknown = edits.list('2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a11', null, 50);
  await expect(unknown).rejects.toMatchObject({ code: 'sandbox_not_found' });
});

test('the edits of the demo are the transactions of its history', async () => {
  const demo = await openTestCatalogue();
  await loadDemoData(demo.database);
  const { rows } = await demo.database.pool.query<{ sandbox_id: string; transactions: string }>(
    `SELECT sandbox_id, count(DISTINCT transaction_id) AS transactions FROM catalogue_version GROUP BY 1`,
  );
  for (const { sandbox_id, transactions } of rows) {
    const pages = await walk(demo.catalogue, sandbox_id);
    const ids = pages.flat().map(({ transaction_id }) => transaction_id);
    expect([ids.length, new Set(ids).size]).toEqual([Number(transactions), Number(transactions)]);
  }
  await demo.close();
});

describe('with one edit of 20,000 versions among edits of ten', () => {
  const sandboxId = '0196b8a0-0000-7000-8000-000000000001';
  const large = '0196b8a0-0000-7000-8000-0000000000ff';
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase({ statementTimeoutMs: 120_000 });
    await fillVersions(database, { sandboxId, records: 2_000, versions: 24_000 });
    await database.pool.query(
      'UPDATE catalogue_version SET transaction_id = $2 WHERE sandbox_id = $1 AND seq BETWEEN 3000 AND 22999',
      [sandboxId, large],
    );
    await database.pool.query('VACUUM ANALYZE catalogue_version');
  }, 240_000);
  afterAll(() => database.close());

  test('a walk is complete and counts the large edit exactly', async () => {
    const pages = await walk(createTestCatalogue(database), sandboxId);
    const edits = pages.flat();
    expect(edits.reduce((sum, { first_seq, last_seq }) => sum + last_seq - first_seq + 1, 0)).toBe(
      24_000,
    );
    const found = edits.filter(({ transaction_id }) => transaction_id === large);
    expect(found).toMatchObject([
      { first_seq: 3_000, last_seq: 22_999, changed_fields: ['custom_data', 'description'] },
    ]);
    expect(found[0]?.counts).toEqual([
      { kind: 'item', operation: 'restore', records: 2 },
      { kind: 'item', operation: 'update', records: 1_958 },
      { kind: 'xp', operation: 'update', records: 40 },
    ]);
    // The page that contains it ends with it.
    expect(pages.find((page) => page.some((edit) => edit === found[0]))?.at(-1)).toBe(found[0]);
  });

  const readRows = async (lastSeq: number, limit: number, mode: 'custom' | 'generic') => {
    const values = [sandboxId, lastSeq, limit, MAX_PAGE_VERSIONS];
    const scans = await explainScans(database, { name: '', text: LIST_EDITS, values }, mode);
    return scans.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  };

  test.each(['custom', 'generic'] as const)(
    'a page reads only the edits that it returns, with a %s plan',
    async (mode) => {
      // Each version is read for its count, for its fields, and for the name of the only record.
      expect(await readRows(24_000, 20, mode)).toBeLessThan(20 * 10 * 4);
      expect(await readRows(2_999, 20, mode)).toBeLessThan(20 * 10 * 4);
      expect(await readRows(22_999, 200, mode)).toBeLessThan(2.1 * 20_000);
    },
  );
});
