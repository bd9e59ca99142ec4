// What the catalogue of PostgreSQL says about the tables of the schema, as far as it matters where they are placed.
import type pg from 'pg';

export type Table = {
  name: string;
  /** Types by column; those that may be NULL are in `nullable`. */
  columns: Readonly<Record<string, string>>;
  nullable: readonly string[];
  /** Primary key, unique constraints, unique indexes and exclusion constraints; expressions are no column. */
  unique: readonly { name: string; columns: readonly string[] }[];
  foreignKeys: readonly ForeignKey[];
  triggers: readonly string[];
};

export type ForeignKey = {
  name: string;
  columns: readonly string[];
  references: { table: string; columns: readonly string[] };
  /** As pg_constraint names them: a no action, r restrict, c cascade, n set null, d set default. */
  onUpdate: string;
  onDelete: string;
};

export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(TABLES);
  return rows;
}

/** Each list is never null, and sorted, so that two readings of one schema are alike. */
const TABLES = `
  SELECT c.relname AS name,
    (SELECT json_object_agg(a.attname, format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum)
       FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    (SELECT coalesce(json_agg(a.attname ORDER BY a.attnum), '[]')
       FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
         AND NOT a.attnotnull) AS nullable,
    (SELECT coalesce(json_agg(json_build_object('name', i.indexrelid::regclass::text, 'columns',
         (SELECT coalesce(json_agg(a.attname ORDER BY k.place), '[]')
            FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place)
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
            WHERE k.place <= i.indnkeyatts)) ORDER BY i.indexrelid::regclass::text), '[]')
       FROM pg_index i WHERE i.indrelid = c.oid AND (i.indisunique OR i.indisexclusion)) AS unique,
    (SELECT coalesce(json_agg(json_build_object('name', f.conname,
         'columns', (SELECT json_agg(a.attname ORDER BY k.place)
            FROM unnest(f.conkey) WITH ORDINALITY AS k(number, place)
            JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.number),
         'references', json_build_object('table', f.confrelid::regclass::text, 'columns',
           (SELECT json_agg(a.attname ORDER BY k.place)
            FROM unnest(f.confkey) WITH ORDINALITY AS k(number, place)
            JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.number)),
         'onUpdate', f.confupdtype, 'onDelete', f.confdeltype) ORDER BY f.conname), '[]')
       FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f') AS "foreignKeys",
    (SELECT coalesce(json_agg(t.tgname ORDER BY t.tgname), '[]')
       FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal) AS triggers
  FROM pg_class c
  WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
    -- Citus leaves what belongs to its extension in pg_catalog, but for some views.
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relname`;
