// Loading many rows is several times faster when their indexes and foreign keys come afterwards.
import type pg from 'pg';

/** Constraints that are indexes themselves stay: they are the primary keys. */
const INDEXES = `
  SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS drop, pg_get_indexdef(i.indexrelid) AS create
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
  WHERE t.relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
  ORDER BY 2`;

const FOREIGN_KEYS = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create
  FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
  ORDER BY 2`;

type Deferred = { drop: string; create: string };

/** Runs `load` without them. Every row is held against them when they come back. Call it inside a transaction. */
export async function withoutIndexes<T>(client: pg.ClientBase, load: () => Promise<T>): Promise<T> {
  const { rows: foreignKeys } = await client.query<Deferred>(FOREIGN_KEYS);
  for (const { drop } of foreignKeys) await client.query(drop);
  const { rows: indexes } = await client.query<Deferred>(INDEXES);
  for (const { drop } of indexes) await client.query(drop);
  const result = await load();
  for (const { create } of [...indexes, ...foreignKeys]) await client.query(create);
  return result;
}
