// The rows that a page by name reads, on 20,000 versions of 2,000 records: the cost depends on the matches, not on the
// sandbox.
import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scan } from '../testing/explain.ts';
import { explainScans } from '../testing/explain.ts';
import { fillVersions, recordIdOf } from '../testing/fill-versions.ts';
import type { HistoryFilter } from './history-query.ts';
import {
  countNamesStatement,
  mergeStatement,
  pageStatement,
  scanStatement,
  startStatement,
} from './history-sql.ts';

const RECORDS = 2_000;
const VERSIONS = 20_000;
const LIMIT = 11;
const sandboxId = '0196b8a0-0000-7000-8000-000000000001';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ statementTimeoutMs: 60_000 });
  await fillVersions(database, { sandboxId, records: RECORDS, versions: VERSIONS });
});
afterAll(() => database.close());

const scopeOf = (foldedName: string) => ({
  sandboxId,
  kind: 'item' as const,
  filter: { foldedName },
});

const rangeAt = (order: 'asc' | 'desc', position: number) => ({
  order,
  limit: LIMIT,
  asOf: VERSIONS,
  low: order === 'asc' ? position : 1,
  high: order === 'asc' ? VERSIONS : position,
});

const readOf = (scans: Scan[], relation: string) =>
  scans.reduce((sum, scan) => sum + (scan.relation === relation ? scan.rowsRead : 0), 0);

describe.each(['desc', 'asc'] as const)('a page in %s order', (order) => {
  describe.each([1_000, 10_000, 19_000])('at position %i', (position) => {
    test.each(['generic', 'custom'] as const)(
      'merged from 111 records probes each once and then reads the page, with a %s plan',
      async (mode) => {
        const merge = mergeStatement(scopeOf('thing 18'), rangeAt(order, position));
        const scans = await explainScans(database, merge, mode);
        expect(scans.map(({ index }) => index)).toContain('catalogue_version_of_record');
        expect(readOf(scans, 'catalogue_version')).toBeLessThanOrEqual(111 + 3 * LIMIT);
      },
    );

    test('scanned for a name that all records have ends with the page, for any window', async () => {
      const range = rangeAt(order, position);
      const scan = scanStatement(scopeOf('thing'), 'thing', range, 400 * LIMIT);
      const scans = await explainScans(database, scan, 'custom');
      expect(readOf(scans, 'catalogue_version')).toBeLessThanOrEqual(2 * LIMIT + 1);
      expect(readOf(scans, 'catalogue_name')).toBeLessThanOrEqual(LIMIT + 1);
    });

    test.each(['generic', 'custom'] as const)(
      'of ids and a name that all records have reads only the names of those ids, with a %s plan',
      async (mode) => {
        const filter = { foldedName: 'thing', recordIds: [3, 5, 7].map(recordIdOf) };
        const scope = { sandboxId, kind: 'item' as const, filter };
        const scans = await explainScans(
          database,
          pageStatement(scope, rangeAt(order, position)),
          mode,
        );
        expect(readOf(scans, 'catalogue_name')).toBeLessThanOrEqual(3);
      },
    );
  });
});

test('counting a name that all records have reads little more than its limit', async () => {
  const count = countNamesStatement(scopeOf('thing'), 'thing', VERSIONS, 50);
  expect(count.name).toBe('');
  const scans = await explainScans(database, count, 'custom');
  expect(readOf(scans, 'catalogue_name')).toBeLessThanOrEqual(60);
});

test('plans the total of a name for its values, since it may match one record or all', () => {
  const nameOf = (filter: HistoryFilter) =>
    startStatement({ sandboxId, kind: 'item', filter }).name;
  expect(nameOf({ foldedName: 'thing' })).toBe('');
  expect(nameOf({ foldedName: 'thing', legacyIds: [1] })).not.toBe('');
  expect(nameOf({})).not.toBe('');
});

test.each([11, 51, 1_001])(
  'PostgreSQL reuses the plans of named statements for %i rows',
  async (limit) => {
    const range = { ...rangeAt('desc', 10_000), limit };
    const client = await database.pool.connect();
    const item = (filter: HistoryFilter) => ({ sandboxId, kind: 'item' as const, filter });
    const ids = { recordIds: [recordIdOf(3)] };
    const filters = [{}, ids, { legacyIds: [11] }, { ...ids, foldedName: 'thing' }];
    const named = [
      ...filters.map((filter) => startStatement(item(filter))),
      ...[...filters, { foldedName: 'thing 18' }].map((filter) =>
        pageStatement(item(filter), range),
      ),
      mergeStatement(item({ foldedName: 'thing 18' }), range),
    ];
    try {
      for (const statement of named) {
        for (let run = 0; run < 8; run += 1) await client.query(statement);
      }
      const { rows } = await client.query(
        'SELECT name FROM pg_prepared_statements WHERE generic_plans > 0 ORDER BY name',
      );
      expect(rows.map(({ name }) => name)).toEqual(named.map(({ name }) => name).sort());
    } finally {
      // Including its statements.
      client.release(true);
    }
  },
);
