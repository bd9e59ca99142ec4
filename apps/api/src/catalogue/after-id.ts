const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Where a page in the order of ids begins: behind the last one, or on the first page at the nil UUID, which is an id like
 * any other and the smallest. A bound on either end is what the planner takes for a narrow range, so that it walks the
 * index. The parameter is the statement's last one, which the first page leaves out.
 */
export const afterId = (column: string, parameter: `$${number}`, after: string | null): string =>
  after === null ? `AND ${column} >= '${NIL_UUID}'::uuid` : `AND ${column} > ${parameter}::uuid`;
