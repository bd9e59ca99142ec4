// How the columns of our own prepared statements become JavaScript values. It is given with each query: Prisma
// shares the pool and relies on the driver's global parsers.
import pg from 'pg';

const INT8 = 20;
const INT8_ARRAY = 1016;

/** BIGINT becomes a number, TIMESTAMPTZ a Date, BYTEA a Buffer, JSON a value, UUID and NUMERIC text. */
export const ROW_TYPES: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format === 'binary') return pg.types.getTypeParser(oid, format);
    if (oid === INT8) return parseSafeInteger;
    if (oid === INT8_ARRAY) return parseSafeIntegers;
    return pg.types.getTypeParser(oid, 'text');
  },
};

/** Throws beyond 2^53-1, where a number would silently become another one. */
export function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`The database returned ${text}, which is no safe integer.`);
}

/** PostgreSQL writes `{1,2,NULL}`; arrays of arrays are not among our columns. */
function parseSafeIntegers(text: string): (number | null)[] {
  if (text === '{}') return [];
  const items = text.slice(1, -1).split(',');
  return items.map((item) => (item === 'NULL' ? null : parseSafeInteger(item)));
}
