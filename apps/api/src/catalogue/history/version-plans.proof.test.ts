// The plans of the lists on 40,000 versions: no filter may read rows that it does not show.
import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VersionFilter } from '../records/record-inputs.ts';
import { explainScans } from '../testing/explain.ts';
import { fillVersions, recordIdOf } from '../testing/fill-versions.ts';
import type { Statement } from './history-sql.ts';
import { asOfStatement, countStatement, pageStatement, startStatement } from './version-sql.ts';

const RECORDS = 1_000;
const VERSIONS = 40_000;
const sandboxId = '0196b8a0-0000-7000-8000-000000000001';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ statementTimeoutMs: 120_000 });
  await fillVersions(database, { sandboxId, records: RECORDS, versions: VERSIONS });
});
afterAll(() => database.close());

const LIMIT = 51;

const explain = async (statement: Statement) => {
  const scans = await explainScans(database, statement, 'custom');
  const ofVersions = scans.filter(({ relation }) => relation === 'catalogue_version');
  return {
    indexes: new Set(ofVersions.map(({ index }) => index)),
    rowsRead: ofVersions.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
  };
};

const filters: [string, VersionFilter, string][] = [
  ['nothing', {}, 'catalogue_version_pkey'],
  ['a kind', { kind: 'item' }, 'catalogue_version_of_kind'],
  ['the rare kind', { kind: 'xp' }, 'catalogue_version_of_kind'],
  ['a record', { record_id: recordIdOf(77) }, 'catalogue_version_of_record'],
  ['a rare account', { account_id: 'rare-editor' }, 'catalogue_version_of_account'],
  ['a rare operation', { operation: 'restore' }, 'catalogue_version_of_operation'],
  ['a transaction', { transaction_id: recordIdOf(1_234) }, 'catalogue_version_of_transaction'],
  [
    'a rarely changed field',
    { changed_field: 'description' },
    'catalogue_version_changing_description',
  ],
  [
    'a rarely changed field of a rare kind',
    { changed_field: 'description', kind: 'xp' },
    'catalogue_version_changing_description',
  ],
];

/** Reads a page of index entries per kind, then the page itself, and the previous version of each. */
const A_PAGE = 5 * LIMIT;

describe.each(['desc', 'asc'] as const)('a page in %s order', (order) => {
  const range = { order, low: 1, high: VERSIONS, limit: LIMIT };

  test.each(filters)('by %s reads one page from its index', async (_, filter, index) => {
    const { indexes, rowsRead } = await explain(pageStatement({ sandboxId, filter }, range));
    expect(indexes).toContain(index);
    expect(rowsRead).toBeLessThanOrEqual(A_PAGE);
  });

  test.each<[string, VersionFilter]>([
    ['account', { account_id: 'editor-1' }],
    ['operation', { operation: 'update' }],
    ['operation', { operation: 'insert' }],
    ['changed field', { changed_field: 'custom_data' }],
    ['changed field', { changed_field: 'name' }],
  ])('by a frequent %s also reads one page: %j', async (_, filter) => {
    const { rowsRead } = await explain(pageStatement({ sandboxId, filter }, range));
    expect(rowsRead).toBeLessThanOrEqual(A_PAGE);
  });

  test('deep in the list costs the same as the first page', async () => {
    const half = VERSIONS / 2;
    const deep = order === 'asc' ? { ...range, low: half } : { ...range, high: half };
    const scope = { sandboxId, filter: { account_id: 'editor-1' } };
    expect((await explain(pageStatement(scope, deep))).rowsRead).toBeLessThanOrEqual(A_PAGE);
  });

  test('by records reads a page of each of them', async () => {
    const namedRecords = [1, 101, 201].map((number) => ({
      kind: 'item' as const,
      record_id: recordIdOf(number),
    }));
    const scope = { sandboxId, filter: { name: 'sword' }, namedRecords };
    const { indexes, rowsRead } = await explain(pageStatement(scope, range));
    expect(indexes).toContain('catalogue_version_of_record');
    expect(rowsRead).toBeLessThanOrEqual(A_PAGE + namedRecords.length * LIMIT);
  });

  test('by a name that all records have reads a page', async () => {
    const scope = { sandboxId, filter: { name: 'thing' } };
    expect((await explain(pageStatement(scope, range))).rowsRead).toBeLessThanOrEqual(A_PAGE);
  });
});

test('finds the ends of a time range with two index entries', async () => {
  const filter = { from: '2026-01-01T10:00:00.000Z', to: '2026-01-02T10:00:00.000Z' };
  const { indexes, rowsRead } = await explain(startStatement(sandboxId, filter));
  expect([...indexes]).toEqual(['catalogue_version_by_time']);
  expect(rowsRead).toBeLessThanOrEqual(2);
});

test('counting stops at its limit', async () => {
  const scope = { sandboxId, filter: { account_id: 'editor-1' } };
  const { rowsRead } = await explain(countStatement(scope, 1, VERSIONS));
  expect(rowsRead).toBeLessThanOrEqual(2 * 10_001);
});

test.each([10, 1_000, 20_000, 39_999])(
  'a page as of position %i reads one entry per record in its range',
  async (seq) => {
    const time = new Date(Date.UTC(2026, 0, 1, 0, 0, seq)).toISOString();
    const values = [sandboxId, 'item', seq, time, '%%', LIMIT];
    const { indexes, rowsRead } = await explain({ name: '', text: asOfStatement(null), values });
    expect([...indexes]).toEqual(['catalogue_version_of_record']);
    expect(rowsRead).toBeLessThanOrEqual(2 * LIMIT);
  },
);
