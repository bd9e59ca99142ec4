// The indexes for searches within names. Migrations leave them out on a server without the extensions pg_trgm and btree_gin.
import type pg from 'pg';

const SEARCH_INDEXES = [
  'catalogue_name_contains',
  'catalogue_record_name_contains',
  'catalogue_value_long_contains',
  'player_name_contains',
  'audit_record_target_contains',
];

/** The names of those that are missing. Empty before the first migration. */
export const findMissingSearchIndexes = async (
  client: Pick<pg.Pool, 'query'>,
): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE to_regclass('catalogue_name') IS NOT NULL AND to_regclass(name) IS NULL`,
    [SEARCH_INDEXES],
  );
  return rows.map(({ name }) => name);
};

/** The consequence of their absence, and the remedy. */
export const describeMissingSearchIndexes = (missing: readonly string[]): string =>
  `The indexes ${missing.join(', ')} are missing, since the database had no extension pg_trgm or btree_gin when it was migrated: searches by name read whole tables. Install postgresql-contrib on its server, and create them as described in docs/operations.md under "Searches by name are slow".`;
