// Loads a large table without its indexes and makes them again afterwards, as PostgreSQL's manual advises
// ("Populating a Database"), whatever indexes the migrations of the day have given it.
import type { BenchPostgres, Statement } from './start-postgres.ts';

/**
 * Foreign keys are not checked while loading: what is generated refers to what is generated. Two indexes of 10 million rows, sorted side by
 * side, took 34 s with this much memory for each, and 133 s with enough for all rows at once.
 */
const LOADING = `SET session_replication_role = replica; SET work_mem = '128MB'; SET maintenance_work_mem = '64MB';
  SET max_parallel_maintenance_workers = 0`;

export type Loading = {
  table: string;
  /**
   * Partial indexes that hold most of the rows. Others stay while the table is loaded: each build of one would read
   * the whole table again.
   */
  full?: readonly string[];
  /** Empties the table first: what a transaction writes into a table that it has emptied is not logged. */
  statements: readonly Statement[];
};

/** `attach` makes the index the one of its constraint again. */
type Index = { drop: string; create: string; attach?: string };

const LIST_INDEXES = `
  SELECT i.indexrelid::regclass::text AS name, c.contype AS constraint, pg_get_indexdef(i.indexrelid) AS create
  FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u')
  WHERE i.indrelid = $1::regclass AND (i.indpred IS NULL OR i.indexrelid::regclass::text = ANY($2::text[]))
  ORDER BY c.contype NULLS LAST, i.indexrelid`;

export const loadTable = async (
  postgres: BenchPostgres,
  database: string,
  { table, full = [], statements }: Loading,
): Promise<void> => {
  const rows = await postgres.run(database, LIST_INDEXES, [table, full]);
  const indexes = rows.map((row) => describeIndex(table, row));
  for (const { drop } of indexes) await postgres.run(database, drop);
  await postgres.runTogether(database, LOADING, statements);
  // A build keeps one core busy: two at a time.
  const waiting = [...indexes];
  const buildNext = async (): Promise<void> => {
    const next = waiting.shift();
    if (!next) return;
    await postgres.runTogether(database, LOADING, [{ text: next.create }]);
    await buildNext();
  };
  await Promise.all([buildNext(), buildNext()]);
  for (const { attach } of indexes) if (attach) await postgres.run(database, attach);
};

const CONSTRAINTS: Record<string, string> = { p: 'PRIMARY KEY', u: 'UNIQUE' };

const describeIndex = (table: string, row: Record<string, unknown>): Index => {
  const { name, constraint, create } = row as Record<'name' | 'constraint' | 'create', string>;
  const kind = CONSTRAINTS[constraint];
  if (!kind) return { drop: `DROP INDEX ${name}`, create };
  return {
    drop: `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
    create,
    attach: `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${kind} USING INDEX ${name}`,
  };
};
