// Reads the records that planning an import needs, all in one snapshot.
import type { Database } from '@muster/database';
import { inReadSnapshot, runPrepared } from '@muster/database';
import type { ItemSchemas } from '../item-schemas/item-schema-rules.ts';
import { NO_SCHEMAS } from '../item-schemas/item-schema-rules.ts';
import type { ItemSchemaRow } from '../item-schemas/item-schema-store.ts';
import { READ_NEWEST_SCHEMAS, toSchemas } from '../item-schemas/item-schema-store.ts';
import { afterId } from '../pagination.ts';
import type { MappedColumns } from './file-columns.ts';

/** A stored record, with the columns that a plan needs. */
export type CurrentRecord = {
  recordId: string;
  legacyId: number | null;
  name: string;
  version: number;
  deleted: boolean;
  snapshot: string;
};

export type CatalogueSnapshot = {
  /** Position of the newest version; null when there is no such sandbox. */
  readHead(): Promise<number | null>;
  /** The mapping of columns of the last applied import of the kind that had one. */
  readColumns(): Promise<MappedColumns>;
  /** Of Items; none for Xp tables. */
  readSchemas(): Promise<ItemSchemas>;
  /** Those of these ids that an undeleted Xp table has. */
  findTables(xpIds: string[]): Promise<string[]>;
  /** Records with one of these ids or legacy ids, including deleted ones. */
  findRecords(recordIds: string[], legacyIds: number[]): Promise<CurrentRecord[]>;
  /** Those of these folded names that an undeleted record has. */
  findNames(foldedNames: string[]): Promise<string[]>;
  /** Undeleted records, sorted by id, after this one or from the first. */
  listLive(after: string | null, limit: number): Promise<CurrentRecord[]>;
};

export type ImportLookups = {
  inSnapshot<T>(
    sandboxId: string,
    kind: 'item' | 'xp',
    work: (snapshot: CatalogueSnapshot) => Promise<T>,
  ): Promise<T>;
};

export const createImportLookups = ({ pool }: Pick<Database, 'pool'>): ImportLookups => ({
  inSnapshot: (sandboxId, kind, work) =>
    inReadSnapshot(pool, (client) => {
      const run = <Row>(name: string, text: string, ...values: unknown[]) =>
        runPrepared<Row>(client, { name: `import_${name}`, text }, [sandboxId, ...values]);
      return work({
        async readHead() {
          const [row] = await run<{ head_seq: number }>('head', READ_HEAD);
          return row?.head_seq ?? null;
        },
        async readColumns() {
          const [row] = await run<{ columns: MappedColumns | null }>('columns', READ_COLUMNS, kind);
          return row?.columns ?? {};
        },
        async readSchemas() {
          if (kind === 'xp') return NO_SCHEMAS;
          return toSchemas(await run<ItemSchemaRow>('schemas', READ_NEWEST_SCHEMAS));
        },
        findTables: async (xpIds) => {
          const rows = await run<{ id: string }>('tables', FIND_TABLES, xpIds);
          return rows.map(({ id }) => id);
        },
        findRecords: (recordIds, legacyIds) =>
          run('find', FIND_RECORDS, kind, recordIds, legacyIds),
        findNames: async (foldedNames) => {
          const rows = await run<{ name: string }>('names', FIND_NAMES, kind, foldedNames);
          return rows.map(({ name }) => name);
        },
        listLive: (after, limit) =>
          after === null
            ? run('first_live', listLive(after), kind, limit)
            : run('live', listLive(after), kind, limit, after),
      });
    }),
});

const COLUMNS = `record_id AS "recordId", legacy_id AS "legacyId", name, version, deleted, snapshot`;

const READ_HEAD = 'SELECT head_seq FROM sandbox WHERE sandbox_id = $1::uuid AND deleted_at IS NULL';

const READ_COLUMNS = `SELECT import_columns -> $2::text AS columns FROM sandbox WHERE sandbox_id = $1::uuid`;

const FIND_TABLES = `SELECT record_id AS id FROM catalogue_record
WHERE sandbox_id = $1::uuid AND kind = 'xp' AND record_id = ANY ($2::uuid[]) AND NOT deleted`;

/** Two index scans; a record that both find is returned once. */
const FIND_RECORDS = `SELECT ${COLUMNS} FROM catalogue_record
WHERE sandbox_id = $1::uuid AND kind = $2 AND record_id = ANY ($3::uuid[])
UNION
SELECT ${COLUMNS} FROM catalogue_record
WHERE sandbox_id = $1::uuid AND kind = $2 AND legacy_id = ANY ($4::bigint[])`;

const FIND_NAMES = `SELECT DISTINCT folded_name AS name FROM catalogue_record
WHERE sandbox_id = $1::uuid AND kind = $2 AND folded_name = ANY ($3::text[]) AND NOT deleted`;

const listLive = (after: string | null): string => `SELECT ${COLUMNS} FROM catalogue_record
WHERE sandbox_id = $1::uuid AND kind = $2 AND NOT deleted ${afterId('record_id', '$4', after)}
ORDER BY record_id LIMIT $3::int`;
