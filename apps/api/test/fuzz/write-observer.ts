// Observes every written row with triggers, to prove that a refused request wrote nothing.
import { openDatabase } from '@muster/database';

export type Write = { table: string; operation: string; detail: string | null };

export type WriteObserver = {
  /** The rows committed since the last call. */
  look(): Promise<Write[]>;
  close(): Promise<void>;
};

/** Columns that distinguish kinds of rows. */
const DETAILS: Record<string, string> = { session_event: 'kind', audit_record: 'action' };

const SET_UP = `
  CREATE TABLE watched_write (id bigserial PRIMARY KEY, table_name text, operation text, detail text);
  CREATE FUNCTION watch_write() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE detail text;
  BEGIN
    IF TG_NARGS > 0 AND TG_OP = 'INSERT' THEN
      EXECUTE format('SELECT ($1).%I::text', TG_ARGV[0]) INTO detail USING NEW;
    END IF;
    INSERT INTO watched_write (table_name, operation, detail) VALUES (TG_TABLE_NAME, TG_OP, detail);
    RETURN NULL;
  END $$;`;

/** Rows of a transaction that is rolled back disappear with it. */
export const observeWrites = async (databaseUrl: string): Promise<WriteObserver> => {
  const { pool, close } = openDatabase({ url: databaseUrl });
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  await pool.query(SET_UP);
  for (const { name } of tables) {
    const on = `ON "${name}"`;
    const detail = DETAILS[name] ?? '';
    await pool.query(`
      CREATE TRIGGER watch_rows AFTER INSERT OR UPDATE OR DELETE ${on} FOR EACH ROW EXECUTE FUNCTION watch_write(${detail});
      CREATE TRIGGER watch_truncate AFTER TRUNCATE ${on} FOR EACH STATEMENT EXECUTE FUNCTION watch_write(${detail})`);
  }
  let seen = 0;
  return {
    look: async () => {
      const { rows } = await pool.query<Write & { id: string }>({
        name: 'look',
        text: 'SELECT id, table_name AS table, operation, detail FROM watched_write WHERE id > $1 ORDER BY id',
        values: [seen],
      });
      seen = Number(rows.at(-1)?.id ?? seen);
      return rows.map(({ table, operation, detail }) => ({ table, operation, detail }));
    },
    close,
  };
};
