// What an interrupted run leaves in a kept folder is made anew, not measured.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHistory, toHistorySize } from '../src/history/history-data.ts';
import type { BenchPostgres } from '../src/postgres/start-postgres.ts';
import { startPostgres } from '../src/postgres/start-postgres.ts';

let postgres: BenchPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

const DATABASE = 'bench_half_way';
const SIZE = toHistorySize(10_000);

const listIndexes = async (): Promise<unknown[]> => {
  const rows = await postgres.run(
    DATABASE,
    `SELECT indexname FROM pg_indexes WHERE tablename = 'catalogue_version' ORDER BY 1`,
  );
  return rows.map(({ indexname }) => indexname);
};

test('versions are made once, and again after a run that was stopped among their indexes', async () => {
  expect(await createHistory(postgres, DATABASE, SIZE)).toBe(true);
  const indexes = await listIndexes();
  expect(await createHistory(postgres, DATABASE, SIZE)).toBe(false);

  await postgres.run(DATABASE, 'UPDATE sandbox SET head_seq = 0');
  await postgres.run(DATABASE, 'DROP INDEX catalogue_version_by_time');
  expect(await createHistory(postgres, DATABASE, SIZE)).toBe(true);
  expect(await listIndexes()).toEqual(indexes);
  const [row] = await postgres.run(
    DATABASE,
    'SELECT count(*)::int AS count FROM catalogue_version',
  );
  expect(row?.count).toBe(SIZE.versions);
});
