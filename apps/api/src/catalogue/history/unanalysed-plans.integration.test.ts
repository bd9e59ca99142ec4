// The plans in tables without current statistics, as after an import: PostgreSQL expects a few rows per sandbox then.
import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scan } from '../testing/explain.ts';
import { explainScans } from '../testing/explain.ts';
import { fillVersions } from '../testing/fill-versions.ts';
import {
  countNamesStatement,
  mergeStatement,
  pageStatement,
  scanStatement,
  startStatement,
} from './history-sql.ts';
import { asOfStatement, exportRecordsStatement } from './version-sql.ts';

const RECORDS = 1_000;
const VERSIONS = 2_000;
const LIMIT = 11;
const sandboxId = '0196b8a0-0000-7000-8000-000000000001';
const TABLES = ['sandbox', 'catalogue_record', 'catalogue_name', 'catalogue_version'];

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ statementTimeoutMs: 60_000 });
  for (const table of TABLES) {
    await database.pool.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  }
  await fillVersions(database, { sandboxId, records: RECORDS, versions: VERSIONS, analyse: false });
}, 240_000);
afterAll(() => database.close());

const scope = { sandboxId, kind: 'item' as const, filter: { foldedName: 'thing' } };
const range = { order: 'desc' as const, low: 1, high: VERSIONS, asOf: VERSIONS, limit: LIMIT };

const STATEMENTS = {
  total: startStatement(scope),
  count: countNamesStatement(scope, 'thing', VERSIONS, 50),
  page: pageStatement(scope, range),
  merge: mergeStatement(scope, range),
  scan: scanStatement(scope, 'thing', range, 400 * LIMIT),
};

const readIn = (scans: Scan[]): number => scans.reduce((sum, { rowsRead }) => sum + rowsRead, 0);

test.each(Object.entries(STATEMENTS))(
  'the %s of a name that all records have reads each record, name and version at most a few times',
  async (_, statement) => {
    const scans = await explainScans(database, statement, 'custom');
    expect(readIn(scans)).toBeLessThanOrEqual(3 * (2 * RECORDS + VERSIONS));
  },
);

/** Sorted by id, from the first one and from the middle on. */
const WALKS = {
  export: (after: string | null) => ({
    ...exportRecordsStatement({
      sandboxId,
      kind: 'item',
      asOf: VERSIONS,
      pattern: '%%',
      where: undefined,
      after,
      limit: LIMIT,
    }),
  }),
  'state at a position': (after: string | null) => ({
    name: 'state',
    text: asOfStatement(after),
    values: [
      sandboxId,
      'item',
      VERSIONS,
      new Date().toISOString(),
      '%%',
      LIMIT,
      ...(after ? [after] : []),
    ],
  }),
};
const MIDDLE = '000001f4-0000-4000-8000-000000000000';

test.each(
  Object.entries(WALKS).flatMap(([name, write]) =>
    [null, MIDDLE].flatMap((after) =>
      (['custom', 'generic'] as const).map((mode) => ({ name, write, after, mode })),
    ),
  ),
)('a page of the $name after $after reads only what it shows, with a $mode plan', async (page) => {
  const scans = await explainScans(database, page.write(page.after), page.mode);
  expect(readIn(scans)).toBeLessThanOrEqual(4 * LIMIT);
});
