// What a database is, so that two can be compared.
import pg from 'pg';
import { withClient } from '../client.ts';

/** Per table, the digest of all rows as text, in one order. The outbox is left out, as in a backup. */
export async function digestTables(url: string): Promise<Record<string, string>> {
  return ask(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT IN ('_prisma_migrations', 'event_outbox', 'event_outbox_origin')
       ORDER BY 1`,
    );
    const digests: Record<string, string> = {};
    for (const { name } of rows) {
      // A trigger sets the transaction of an audit record anew.
      const row = name === 'audit_record' ? `(to_jsonb(t) - 'transaction_id')` : 't';
      const { rows: found } = await client.query<{ digest: string }>(
        `SELECT count(*) || ':' || coalesce(encode(sha256(convert_to(
           string_agg(${row}::text, E'\n' ORDER BY ${row}::text COLLATE "C"), 'UTF8')), 'hex'), '') AS digest
         FROM ${pg.escapeIdentifier(name)} t`,
      );
      digests[name] = found[0]?.digest ?? '';
    }
    return digests;
  });
}

/** Columns, constraints, indexes, triggers and functions as PostgreSQL describes them. */
export async function describeSchema(url: string): Promise<string[]> {
  return ask(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(`
      SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
        FROM information_schema.columns WHERE table_schema = 'public'
      UNION ALL SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
      ORDER BY 1`);
    return rows.map(({ line }) => line);
  });
}

const ask = <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient({ connectionString: url, settings: { timezone: 'UTC' } }, work);
