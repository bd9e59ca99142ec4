// Lets the schema engine read PostgreSQL's catalogues, whose one-byte type "char" (oid 18) `PrismaPg` refuses to
// describe: such columns pass it as text and get their true type back afterwards.
import type { SqlDriverAdapter, SqlQuery } from '@prisma/driver-adapter-utils';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import type pg from 'pg';

const CHAR_OID = 18;
const TEXT_OID = 25;

/** Column numbers of type "char", by the array of rows, which `PrismaPg` hands on as it is. */
const charColumns = new WeakMap<object, number[]>();

export function hideCharColumns(pool: pg.Pool): pg.Pool {
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryResult>;
  return Object.assign(pool, {
    query: async (config: pg.QueryConfig) => {
      const result = await query(config);
      if (!Array.isArray(result)) hideInResult(result);
      return result;
    },
  });
}

function hideInResult({ fields, rows }: pg.QueryResult): void {
  const columns = fields.flatMap((field, index) => (field.dataTypeID === CHAR_OID ? [index] : []));
  if (columns.length === 0) return;
  for (const field of fields) {
    if (field.dataTypeID === CHAR_OID) field.dataTypeID = TEXT_OID;
  }
  charColumns.set(rows, columns);
}

export function restoreCharColumns(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const queryRaw = adapter.queryRaw.bind(adapter);
  return Object.assign(adapter, {
    queryRaw: async (query: SqlQuery) => {
      const result = await queryRaw(query);
      for (const column of charColumns.get(result.rows) ?? []) {
        result.columnTypes[column] = ColumnTypeEnum.Character;
      }
      return result;
    },
  });
}
