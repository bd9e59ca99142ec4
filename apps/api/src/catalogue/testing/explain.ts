import type { Database } from '@muster/database';
import type { Statement } from '../history/history-sql.ts';

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
};

export type Scan = { type: string; relation: string; index: string | undefined; rowsRead: number };

/** Runs the statement and returns what each scan of its plan read. `generic` is the plan without the values. */
export const explainScans = async (
  { pool }: Pick<Database, 'pool'>,
  { text, values }: Statement,
  mode: 'generic' | 'custom',
): Promise<Scan[]> => {
  const client = await pool.connect();
  try {
    // EXPLAIN of a statement always sees the values; only EXPLAIN EXECUTE respects the setting.
    await client.query(`SET plan_cache_mode = force_${mode}_plan`);
    await client.query(`PREPARE explained AS ${text}`);
    const literals = values.map((value) => client.escapeLiteral(toText(value)));
    const options = 'ANALYZE, TIMING OFF, FORMAT JSON';
    const { rows } = await client.query(`EXPLAIN (${options}) EXECUTE explained (${literals})`);
    const nodes = flatten(rows[0]['QUERY PLAN'][0].Plan);
    return nodes.filter((node) => node['Node Type'].includes('Scan')).map(toScan);
  } finally {
    await client.query('DEALLOCATE ALL; RESET plan_cache_mode');
    client.release();
  }
};

const toText = (value: unknown): string =>
  Array.isArray(value) ? `{${value.join(',')}}` : String(value);

const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

const toScan = (node: Node): Scan => {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return {
    type: node['Node Type'],
    relation: node['Relation Name'] ?? '',
    index: node['Index Name'],
    rowsRead: Math.round((node['Actual Rows'] + removed) * node['Actual Loops']),
  };
};
