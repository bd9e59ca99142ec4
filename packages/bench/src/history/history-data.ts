// Millions of versions of one sandbox, made inside the database: the same rows from the same numbers in every run.
// All that the catalogue promises about its tables holds, except the chain of hashes: the sandbox is named unchained.
import type { Loading } from '../postgres/load-table.ts';
import { loadTable } from '../postgres/load-table.ts';
import type { BenchPostgres } from '../postgres/start-postgres.ts';
import { UUID_SQL } from '../requests/identities.ts';

export type HistorySize = { versions: number; records: number };

export const VERSIONS_PER_RECORD = 100;

export const toHistorySize = (versions: number): HistorySize => ({
  versions,
  records: versions / VERSIONS_PER_RECORD,
});

export const SANDBOX_ID = '0be0c4e5-0000-4000-8000-000000000001';

/** Each of these words is in the names of ten records, whatever the size. */
export const RARE_WORDS = [
  'nightfall',
  'emberglow',
  'frostbite',
  'stormwind',
  'starlight',
] as const;
export const RECORDS_PER_RARE_WORD = 10;

/** Every fiftieth record is an Xp table. */
const KIND = (record: string): string => `CASE ${record} % 50 WHEN 0 THEN 'xp' ELSE 'item' END`;

export const countItemVersions = ({ versions }: HistorySize): number => versions - versions / 50;

const RECORD_ID = (record: string): string => UUID_SQL(`'record:' || ${record}`);

const WORDS = RARE_WORDS.map((word, at) => `WHEN ${at + 1} THEN ' of ${word}'`).join(' ');

/** $1 is the number of records: of ten equal stretches, each holds one record of each rare word. */
const NAME = (record: string): string =>
  `'Sturdy shield ' || ${record} || CASE ${record} % ($1::int / ${RECORDS_PER_RARE_WORD}) ${WORDS} ELSE '' END`;

/** The text that the service would write: the id, then the fields in their order. Only two values change with the version. */
const SNAPSHOT_START = (record: string): string => `
  CASE ${record} % 50 WHEN 0 THEN '{"xp_id":"' || ${RECORD_ID(record)} || '","name":"' || ${NAME(record)} ||
    '","xp_thresholds":[{"level":1,"xp":0},{"level":2,"xp":'
  ELSE '{"item_id":"' || ${RECORD_ID(record)} || '","name":"' || ${NAME(record)} ||
    '","description":"Carried by those who hold the line.","item_type":"unit","tags":["shield","season-4"],"custom_data":{"power":"'
  END`;
const SNAPSHOT_MIDDLE = (record: string): string =>
  `CASE ${record} % 50 WHEN 0 THEN '}],"custom_data":{"season":"' ELSE '","rarity":"common","price":"' END`;
/** A season is the number of the version, a price is more. */
const PRICE = (record: string): string =>
  `CASE ${record} % 50 WHEN 0 THEN 0 ELSE ${record} * 7 END`;
const SNAPSHOT = (record: string, version: string): string =>
  `${SNAPSHOT_START(record)} || ${version} || ${SNAPSHOT_MIDDLE(record)} || ${PRICE(record)} + ${version} || '"}}'`;

/** Two seconds between edits: over seven months of them at ten million. */
const ISSUED_AT = (seq: string): string =>
  `timestamptz '2026-01-01Z' + ${seq} * interval '2 seconds'`;

/** How a UUID of version 7 (RFC 9562 section 5.7) of that moment begins and ends: ids grow with time, as those of the service do. */
const ID_START = (seq: string): string =>
  `lpad(to_hex(${Date.parse('2026-01-01Z')} + ${seq} * 2000), 12, '0') || '7000'`;
const ID_END = (seq: string): string => `lpad(to_hex(${seq}), 15, '0')`;

/** The same in the spelling of the answers. */
export const versionIdOf = (seq: number): string => {
  const time = (Date.parse('2026-01-01Z') + seq * 2_000).toString(16).padStart(12, '0');
  const hex = `${time}70008${seq.toString(16).padStart(15, '0')}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const INSERT_SANDBOX = `
  INSERT INTO sandbox (sandbox_id, name, head_seq, head_hash, item_versions, xp_versions)
  VALUES ('${SANDBOX_ID}', 'Benchmark (unchained)', $1::bigint, sha256(''), $1::bigint - $1::bigint / 50, $1::bigint / 50)`;

const INSERT_RECORDS = `
  INSERT INTO catalogue_record (sandbox_id, kind, record_id, name, folded_name, version, head_seq, snapshot, created_at,
    updated_at)
  SELECT '${SANDBOX_ID}', ${KIND('r')}, ${RECORD_ID('r')}, ${NAME('r')}, lower(${NAME('r')}), $2::bigint,
    $1::bigint * ($2::bigint - 1) + r, ${SNAPSHOT('r', '$2::bigint')}, ${ISSUED_AT('r')},
    ${ISSUED_AT('($1::bigint * ($2::bigint - 1) + r)')}
  FROM generate_series(1, $1::int) r`;

const INSERT_NAMES = `
  INSERT INTO catalogue_name (sandbox_id, kind, record_id, folded_name, first_seq)
  SELECT '${SANDBOX_ID}', ${KIND('r')}, ${RECORD_ID('r')}, lower(${NAME('r')}), r FROM generate_series(1, $1::int) r`;

/**
 * Assigns versions to records in rotation: every record has the same number of edits, and editors alternate. Data that
 * all versions of a record have in common is made once. The inner query refers to the outer one, so that no plan
 * reverses the nesting. $2 selects the Xp tables or everything else, $3 is the number of edits per record.
 */
const INSERT_VERSIONS = `
  WITH record AS MATERIALIZED (
    SELECT r, ${RECORD_ID('r')} AS id, ${KIND('r')} AS kind, ${NAME('r')} AS name, ${SNAPSHOT_START('r')} AS start,
      ${SNAPSHOT_MIDDLE('r')} AS middle, ${PRICE('r')} AS price,
      CASE r % 50 WHEN 0 THEN '{name,xp_thresholds,custom_data}'::text[]
        ELSE '{name,description,item_type,tags,custom_data}' END AS first_fields,
      CASE r % 50 WHEN 0 THEN '{xp_thresholds,custom_data}'::text[] ELSE '{custom_data}' END AS later_fields
    FROM generate_series(1, $1::int) r WHERE ${KIND('r')} = $2::text)
  INSERT INTO catalogue_version (sandbox_id, seq, kind, record_id, version, version_id, transaction_id, operation,
    account_id, issued_at, version_name, snapshot, hash, changed_fields)
  SELECT '${SANDBOX_ID}', s, kind, id, v, (id_start || '8' || id_end)::uuid, (id_start || '9' || id_end)::uuid,
    CASE v WHEN 1 THEN 'insert' ELSE 'update' END, 'editor-' || v / 15, ${ISSUED_AT('s')}, name,
    start || v || middle || price + v || '"}}', sha256(''), CASE v WHEN 1 THEN first_fields ELSE later_fields END
  FROM generate_series(1, $3::bigint) v,
    LATERAL (SELECT (v - 1) * $1::int + r AS s, record.* FROM record OFFSET 0) edit,
    LATERAL (SELECT ${ID_START('s')} AS id_start, ${ID_END('s')} AS id_end OFFSET 0) ids`;

/**
 * Most versions are of Items. With those of Xp tables behind them, the rows lie in the order of nearly every index, and what is sorted already
 * need not be sorted.
 */
const loadVersions = ({ records }: HistorySize): Loading => ({
  table: 'catalogue_version',
  full: ['catalogue_version_changing_custom_data'],
  statements: [
    {
      text: 'TRUNCATE item_schema_version, saved_view, change_set_comment, change_set_operation, change_set, catalogue_version, catalogue_name, catalogue_value, catalogue_record, sandbox',
    },
    { text: INSERT_VERSIONS, values: [records, 'item', VERSIONS_PER_RECORD] },
    { text: INSERT_VERSIONS, values: [records, 'xp', VERSIONS_PER_RECORD] },
    { text: INSERT_RECORDS, values: [records, VERSIONS_PER_RECORD] },
    { text: INSERT_NAMES, values: [records] },
  ],
});

/** The last statement writes it: a database without it was left half-way and is not used. */
const findComplete = ({ versions }: HistorySize): string =>
  `SELECT 1 FROM sandbox WHERE sandbox_id = '${SANDBOX_ID}' AND head_seq = ${versions}`;

/** False, at once, where an earlier run has made the same. */
export const createHistory = async (
  postgres: BenchPostgres,
  database: string,
  size: HistorySize,
): Promise<boolean> => {
  // Without the database or its tables, the query fails.
  const found = await postgres.run(database, findComplete(size)).catch(() => []);
  if (found.length > 0) {
    await postgres.migrate(database);
    return false;
  }
  await postgres.createFresh(database);
  await loadTable(postgres, database, loadVersions(size));
  await postgres.run(database, 'VACUUM ANALYZE');
  await postgres.run(database, INSERT_SANDBOX, [size.versions]);
  await postgres.run(database, 'VACUUM ANALYZE sandbox');
  return true;
};

// Which version a page has to begin with: the newest one comes first. A version is named by its place in the sandbox, from 1 on.

/** Every fiftieth version is one of an Xp table. */
const CYCLE = 50;

/** The newest version of an Item before this place. */
export const itemBefore = (seq: number): number => ((seq - 1) % CYCLE === 0 ? seq - 2 : seq - 1);

/** The newest version of one record, which is given by its number. */
export const newestOf = ({ records }: HistorySize, record: number): number =>
  (VERSIONS_PER_RECORD - 1) * records + record;

/** Of the records that hold the rare word `index`, the last was edited last. */
export const newestOfWord = (size: HistorySize, index: number): number =>
  newestOf(size, size.records - size.records / RECORDS_PER_RARE_WORD + index + 1);
