// The same versions in the tables that Payload makes for a collection with versions.
import { loadTable } from '../postgres/load-table.ts';
import type { BenchPostgres } from '../postgres/start-postgres.ts';
import { UUID_SQL, uuidOf } from '../requests/identities.ts';
import type { HistorySize } from './history-data.ts';
import { ISSUED_AT, NAME, RECORD_ID } from './history-data.ts';

const CUSTOM_DATA = (record: string, version: string): string =>
  `jsonb_build_object('power', (${version})::text, 'rarity', 'common', 'price', (${record} * 7 + ${version})::text)`;

export const payloadVersionIdOf = (seq: number): string => uuidOf(`version:${seq}`);

const DESCRIPTION = `'Carried by those who hold the line.'`;

const INSERT_ITEMS = `
  INSERT INTO items (id, name, description, item_type, custom_data, created_at, updated_at)
  SELECT ${RECORD_ID('r')}, ${NAME('r')}, ${DESCRIPTION}, 'unit', ${CUSTOM_DATA('r', '1')}, now(), now()
  FROM generate_series(1, $1::int) r WHERE r % 50 <> 0`;

const INSERT_VERSIONS = `
  INSERT INTO _items_v (id, parent_id, version_name, version_description, version_item_type, version_custom_data,
    version_created_at, version_updated_at, created_at, updated_at)
  SELECT ${UUID_SQL(`'version:' || s`)}, ${RECORD_ID('r')}, ${NAME('r')}, ${DESCRIPTION}, 'unit', ${CUSTOM_DATA('r', 'v')},
    ${ISSUED_AT('r')}, ${ISSUED_AT('s')}, ${ISSUED_AT('s')}, ${ISSUED_AT('s')}
  FROM generate_series(1, $2::bigint) s,
    LATERAL (SELECT (s - 1) % $1::int + 1 AS r, (s - 1) / $1::int + 1 AS v) edit
  WHERE r % 50 <> 0`;

/** The last statement of the filling writes it. */
export const IS_FILLED = 'SELECT 1 FROM items LIMIT 1';

/** The tables are there already: Payload made them when it started. */
export const fillPayload = async (
  postgres: BenchPostgres,
  database: string,
  { versions, records }: HistorySize,
): Promise<void> => {
  await loadTable(postgres, database, {
    table: '_items_v',
    statements: [
      { text: 'TRUNCATE items, _items_v CASCADE' },
      { text: INSERT_VERSIONS, values: [records, versions] },
    ],
  });
  await postgres.run(database, 'VACUUM ANALYZE _items_v');
  await postgres.run(database, INSERT_ITEMS, [records]);
  await postgres.run(database, 'VACUUM ANALYZE items');
};
