// A database with the demo, for tests of the loaded data.
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { loadDemoData } from '../demo-store.ts';

/** The time at which the demo is loaded; a Saturday morning. */
export const NOW = new Date('2026-03-14T09:26:53.589Z');

export const createDemoDatabase = async () => {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({ url });
  await loadDemoData(database, { now: () => NOW });
  const select = async <Row extends object>(sql: string): Promise<Row[]> =>
    (await database.pool.query<Row>(sql)).rows;
  const count = async (from: string): Promise<number> => {
    const [row] = await select<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`);
    return row?.count ?? -1;
  };
  const close = async () => {
    await database.close();
    await drop();
  };
  return { database, select, count, close };
};
