// Millions of versions of one sandbox, made inside the database: the same rows from the same numbers in every run.
// All that the catalogue promises about its tables holds, except the chain of hashes: the sandbox is named unchained.

import { rebuildingIndexes } from '../postgres/rebuild-indexes.ts';
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

export const RECORD_ID = (record: string): string => UUID_SQL(`'record:' || ${record}`);

const WORDS = RARE_WORDS.map((word, at) => `WHEN ${at + 1} THEN ' of ${word}'`).join(' ');

/** $1 is the number of records: of ten equal stretches, each holds one record of each rare word. */
export const NAME = (record: string): string =>
  `'Sturdy shield ' || ${record} || CASE ${record} % ($1::int / ${RECORDS_PER_RARE_WORD}) ${WORDS} ELSE '' END`;

/** The text that the service would write: the id, then the fields in their order. */
const SNAPSHOT = (record: string, version: string): string => `
  CASE ${record} % 50 WHEN 0 THEN '{"xp_id":"' || ${RECORD_ID(record)} || '","name":"' || ${NAME(record)} ||
    '","xp_thresholds":[{"level":1,"xp":0},{"level":2,"xp":' || ${version} || '}],"custom_data":{"season":"' || ${version} || '"}}'
  ELSE '{"item_id":"' || ${RECORD_ID(record)} || '","name":"' || ${NAME(record)} ||
    '","description":"Carried by those who hold the line.","item_type":"unit","tags":["shield","season-4"],' ||
    '"custom_data":{"power":"' || ${version} || '","rarity":"common","price":"' || (${record} * 7 + ${version}) || '"}}' END`;

/** Two seconds between edits: over seven months of them at ten million. */
export const ISSUED_AT = (seq: string): string =>
  `timestamptz '2026-01-01' + ${seq} * interval '2 seconds'`;

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

/** Versions go round the records: edit after edit, each record has as many as every other. */
const INSERT_VERSIONS = `
  INSERT INTO catalogue_version (sandbox_id, seq, kind, record_id, version, version_id, transaction_id, operation,
    account_id, issued_at, version_name, snapshot, hash, changed_fields)
  SELECT '${SANDBOX_ID}', s, ${KIND('r')}, ${RECORD_ID('r')}, v, ${UUID_SQL(`'version:' || s`)},
    ${UUID_SQL(`'transaction:' || s`)}, CASE v WHEN 1 THEN 'insert' ELSE 'update' END, 'editor-' || s % 7, ${ISSUED_AT('s')},
    ${NAME('r')}, ${SNAPSHOT('r', 'v')}, sha256(''),
    CASE WHEN v > 1 AND r % 50 = 0 THEN '{xp_thresholds,custom_data}'::text[] WHEN v > 1 THEN '{custom_data}'::text[]
      WHEN r % 50 = 0 THEN '{name,xp_thresholds,custom_data}'::text[]
      ELSE '{name,description,item_type,tags,custom_data}'::text[] END
  FROM generate_series($2::bigint, $3::bigint) s,
    LATERAL (SELECT (s - 1) % $1::int + 1 AS r, (s - 1) / $1::int + 1 AS v) edit`;

/** The last statement writes it: a database without it was left half-way and is not used. */
const IS_COMPLETE = `SELECT 1 FROM sandbox WHERE sandbox_id = '${SANDBOX_ID}' AND head_seq = $1::bigint`;

/** Answers at once where an earlier run has made the same. */
export const createHistory = async (
  postgres: BenchPostgres,
  database: string,
  size: HistorySize,
): Promise<void> => {
  await postgres.createDatabase(database);
  await postgres.migrate(database);
  if ((await postgres.run(database, IS_COMPLETE, [size.versions])).length > 0) return;
  await postgres.run(
    database,
    'TRUNCATE catalogue_version, catalogue_name, catalogue_record, sandbox',
  );
  await rebuildingIndexes(postgres, database, 'catalogue_version', async (insert) => {
    const half = Math.floor(size.versions / 2);
    await Promise.all([
      insert(INSERT_VERSIONS, [size.records, 1, half]),
      insert(INSERT_VERSIONS, [size.records, half + 1, size.versions]),
    ]);
    await insert(INSERT_RECORDS, [size.records, VERSIONS_PER_RECORD]);
    await insert(INSERT_NAMES, [size.records]);
  });
  await postgres.run(database, 'VACUUM ANALYZE');
  await postgres.run(database, INSERT_SANDBOX, [size.versions]);
  await postgres.run(database, 'VACUUM ANALYZE sandbox');
};
