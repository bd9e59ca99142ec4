// The plans of the hot statements on 50,000 versions: finds a plan that reads everything before there are ten million.
import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scan } from '../testing/explain.ts';
import { explainScans } from '../testing/explain.ts';
import { fillVersions, recordIdOf } from '../testing/fill-versions.ts';
import type { HistoryFilter } from './history-query.ts';
import { pageStatement, scanStatement, startStatement } from './history-sql.ts';

const RECORDS = 2_000;
const VERSIONS = 50_000;
const sandboxId = '0196b8a0-0000-7000-8000-000000000001';
const other = '0196b8a0-0000-7000-8000-000000000002';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ statementTimeoutMs: 60_000 });
  await fillVersions(database, { sandboxId, records: RECORDS, versions: VERSIONS });
  await fillVersions(database, { sandboxId: other, records: 200, versions: 2_000 });
});
afterAll(() => database.close());

const LIMIT = 51;
const pageAt = (order: 'asc' | 'desc', position: number) => ({
  order,
  low: order === 'asc' ? position : 1,
  high: order === 'asc' ? VERSIONS : position,
  asOf: VERSIONS,
  limit: LIMIT,
});

const readOf = (scans: Scan[], relation: string) =>
  scans
    .filter((scan) => scan.relation === relation)
    .reduce((sum, { rowsRead }) => sum + rowsRead, 0);

const indexesOf = (scans: Scan[]) =>
  scans.map(({ index, type, relation }) => index ?? `${type} ${relation}`);

const ofVersions = (scans: Scan[]) =>
  scans.filter(({ relation }) => relation === 'catalogue_version');

const ids = [3, 5, 7, 1999].map(recordIdOf);

describe.each(['generic', 'custom'] as const)('with a %s plan', (mode) => {
  describe.each(['desc', 'asc'] as const)('a page in %s order', (order) => {
    describe.each([1_000, 25_000, 49_000])('at position %i', (position) => {
      const explainPage = (filter: HistoryFilter, kind: 'item' | 'xp' = 'item') =>
        explainScans(
          database,
          pageStatement({ sandboxId, kind, filter }, pageAt(order, position)),
          mode,
        );

      test('without filters reads as many rows of one index as the page has', async () => {
        const scans = await explainPage({});
        expect(indexesOf(ofVersions(scans))).toEqual(['catalogue_version_of_kind']);
        expect(readOf(scans, 'catalogue_version')).toBeLessThanOrEqual(LIMIT);
      });

      test('of the rarer kind reads no more rows', async () => {
        expect(readOf(await explainPage({}, 'xp'), 'catalogue_version')).toBeLessThanOrEqual(LIMIT);
      });

      test.each<[string, HistoryFilter]>([
        ['id', { recordIds: [recordIdOf(5)] }],
        ['legacy id', { legacyIds: [11] }],
      ])('by one %s reads each row of the page once', async (_, filter) => {
        const scans = await explainPage(filter);
        expect(indexesOf(ofVersions(scans))).toEqual(['catalogue_version_of_record']);
        expect(readOf(scans, 'catalogue_version')).toBeLessThanOrEqual(LIMIT);
        expect(readOf(scans, 'catalogue_record')).toBeLessThanOrEqual(1);
      });

      test('by id reads at most one page per record', async () => {
        const scans = await explainPage({ recordIds: ids });
        expect(indexesOf(scans)).toContain('catalogue_version_of_record');
        const most = LIMIT + ids.length * Math.min(LIMIT, VERSIONS / RECORDS);
        expect(readOf(scans, 'catalogue_version')).toBeLessThanOrEqual(most);
        expect(readOf(scans, 'catalogue_record')).toBeLessThanOrEqual(ids.length);
      });

      test('by legacy id finds the records by their index', async () => {
        const scans = await explainPage({ legacyIds: [11, 21] });
        expect(indexesOf(scans)).toContain('catalogue_record_legacy_id');
        expect(readOf(scans, 'catalogue_record')).toBeLessThanOrEqual(2);
        expect(indexesOf(scans)).toContain('catalogue_version_of_record');
      });

      test('by a rare name finds the records by trigrams and reads one page per record', async () => {
        const scans = await explainPage({ foldedName: 'sword' });
        expect(indexesOf(scans)).toContain('catalogue_name_contains');
        expect(indexesOf(scans)).toContain('catalogue_version_of_record');
        const most = LIMIT + (RECORDS / 100) * Math.min(LIMIT, VERSIONS / RECORDS);
        expect(readOf(scans, 'catalogue_version')).toBeLessThanOrEqual(most);
      });
    });
  });

  test.each<[string, HistoryFilter, number]>([
    ['nothing', {}, 0],
    ['ids', { recordIds: ids }, 4],
    ['legacy ids', { legacyIds: [11, 21] }, 2],
    ['a rare name', { foldedName: 'sword' }, 20],
  ])('the total for %s reads counters only', async (_, filter, records) => {
    const scans = await explainScans(
      database,
      startStatement({ sandboxId, kind: 'item', filter }),
      mode,
    );
    expect(readOf(scans, 'catalogue_version')).toBe(0);
    expect(readOf(scans, 'catalogue_record')).toBeLessThanOrEqual(records);
  });
});

// The scan is unnamed and so always planned for its values.
describe.each(['desc', 'asc'] as const)('a scan in %s order', (order) => {
  test.each([1_000, 25_000, 49_000])(
    'at position %i, by a name that all records have, reads a few versions and their names',
    async (position) => {
      const scope = { sandboxId, kind: 'item' as const, filter: { foldedName: 'thing' } };
      const scan = scanStatement(scope, 'thing', pageAt(order, position), 4 * LIMIT);
      expect(scan.name).toBe('');
      const scans = await explainScans(database, scan, 'custom');
      expect(indexesOf(scans)).toContain('catalogue_version_of_kind');
      expect(readOf(scans, 'catalogue_version')).toBeLessThanOrEqual(5 * LIMIT);
      expect(readOf(scans, 'catalogue_name')).toBeLessThanOrEqual(4 * LIMIT);
    },
  );
});
