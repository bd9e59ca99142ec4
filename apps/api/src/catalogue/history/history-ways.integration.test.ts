// All queries for a page by name return the same versions as a plain scan of all versions.
import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertUnevenVersions, recordIdOf } from '../testing/fill-versions.ts';
import type { HistoryRange, Statement } from './history-sql.ts';
import { mergeStatement, pageStatement, scanStatement } from './history-sql.ts';
import { createHistoryStore } from './history-store.ts';

const VERSIONS = 3_000;
const RECORDS = 120;
const sandboxId = '0196b8a0-0000-7000-8000-000000000001';
const kind = 'item';

let database: Database;
let versions: { seq: number; record: string }[];
beforeAll(async () => {
  database = await openTestDatabase();
  await insertUnevenVersions(database, { sandboxId, records: RECORDS, versions: VERSIONS });
  const { rows } = await database.pool.query(
    'SELECT seq::int AS seq, record_id AS record FROM catalogue_version WHERE kind = $1 ORDER BY seq',
    [kind],
  );
  versions = rows;
});
afterAll(() => database.close());

/** The parts of the names in the uneven sandbox, and which records have them. */
const NAMES: [string, (record: number) => boolean][] = [
  ['thing', () => true],
  ['even', (record) => record % 2 === 0],
  ['early', (record) => record > RECORDS - 20],
  ['frequent', (record) => record <= 3],
];

const ask = async ({ text, values }: Statement): Promise<number[]> => {
  const { rows } = await database.pool.query(text, values);
  return rows.map(({ seq }) => Number(seq));
};

const matching = (isNamed: (record: number) => boolean) => {
  const ids = Array.from({ length: RECORDS }, (_, index) => index + 1).filter(isNamed);
  const records = new Set(ids.map(recordIdOf));
  return versions.filter(({ record }) => records.has(record)).map(({ seq }) => seq);
};

describe.each(['desc', 'asc'] as const)('in %s order', (order) => {
  describe.each([1, 7, 51, 1_001])('%i at a time', (limit) => {
    test.each(NAMES)(
      'every query for a page of "%s" returns its versions',
      async (name, isNamed) => {
        const all = matching(isNamed);
        expect(all.length).toBeGreaterThan(100);
        const scope = { sandboxId, kind, filter: { foldedName: name } } as const;
        const store = createHistoryStore(database);
        for (const position of [1, 40, 700, 1_500, 2_990, VERSIONS]) {
          const [low, high] = order === 'desc' ? [1, position] : [position, VERSIONS];
          const range: HistoryRange = { order, low, high, asOf: VERSIONS, limit };
          const inRange = all.filter((seq) => seq >= low && seq <= high);
          const expected = (order === 'desc' ? inRange.toReversed() : inRange).slice(0, limit);
          expect(await ask(pageStatement(scope, range))).toEqual(expected);
          expect(await ask(mergeStatement(scope, range))).toEqual(expected);
          expect(await ask(scanStatement(scope, name, range, VERSIONS))).toEqual(expected);
          const chosen = await store.readPage(scope, range, all.length);
          expect(chosen.map(({ seq }) => seq)).toEqual(expected);
        }
      },
    );
  });
});
