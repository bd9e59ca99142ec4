// Loads a large table without its indexes and makes them again afterwards, as PostgreSQL's manual advises
// ("Populating a Database"), whatever indexes the migrations of the day have given it.
import type { BenchPostgres } from './start-postgres.ts';

/** Foreign keys are not checked while loading: what is generated refers to what is generated. */
const LOADING = `SET session_replication_role = replica; SET work_mem = '128MB'; SET maintenance_work_mem = '1500MB';
  SET max_parallel_maintenance_workers = 0`;

export type Insert = (text: string, values: readonly unknown[]) => Promise<void>;

type Index = { drop: string; create: string };

const LIST_INDEXES = `
  SELECT i.indexrelid::regclass::text AS name, c.conname AS constraint, pg_get_constraintdef(c.oid) AS constraint_def,
    pg_get_indexdef(i.indexrelid) AS index_def
  FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u')
  WHERE i.indrelid = $1::regclass ORDER BY c.contype NULLS LAST, i.indexrelid`;

export const rebuildingIndexes = async (
  postgres: BenchPostgres,
  database: string,
  table: string,
  load: (insert: Insert) => Promise<void>,
): Promise<void> => {
  const rows = await postgres.run(database, LIST_INDEXES, [table]);
  const indexes = rows.map((row) => describeIndex(table, row));
  for (const { drop } of indexes) await postgres.run(database, drop);
  await load((text, values) => postgres.runWith(database, LOADING, text, values));
  // A constraint locks the table against other builds: one by one, first.
  for (const { create } of indexes.filter((index) => !isPlainIndex(index))) {
    await postgres.runWith(database, LOADING, create);
  }
  // A build keeps one core busy: two at a time.
  const waiting = indexes.filter(isPlainIndex);
  const buildNext = async (): Promise<void> => {
    const next = waiting.shift();
    if (!next) return;
    await postgres.runWith(database, LOADING, next.create);
    await buildNext();
  };
  await Promise.all([buildNext(), buildNext()]);
};

const isPlainIndex = ({ create }: Index): boolean => !create.startsWith('ALTER');

const describeIndex = (table: string, row: Record<string, unknown>): Index => {
  const { name, constraint, constraint_def: definition, index_def: create } = row;
  if (!constraint) return { drop: `DROP INDEX ${name}`, create: String(create) };
  return {
    drop: `ALTER TABLE ${table} DROP CONSTRAINT "${constraint}"`,
    create: `ALTER TABLE ${table} ADD CONSTRAINT "${constraint}" ${definition}`,
  };
};
