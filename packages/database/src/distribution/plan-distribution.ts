// From where the tables are to where they shall be: the calls of Citus, in order.
import type { Placement } from './placements.ts';

/** As the view `citus_tables` describes a table that is no longer local. */
export type Placed = {
  table: string;
  kind: 'distributed' | 'reference';
  /** Null for reference tables. */
  by: string | null;
};

export type Step = { table: string; what: string; sql: string };

export type DistributionPlan = {
  steps: readonly Step[];
  /** Tables that are where they shall be. */
  done: readonly string[];
  /** One sentence for each table that somebody has placed otherwise: moving it is no decision of a command. */
  conflicts: readonly string[];
};

export function planDistribution(
  placements: Readonly<Record<string, Placement>>,
  placed: readonly Placed[],
): DistributionPlan {
  const present = new Map(placed.map((each) => [each.table, each]));
  const entries = Object.entries(placements);
  return {
    steps: entries
      .filter(([table]) => !present.has(table))
      .flatMap(([table, placement]) => toStep(table, placement)),
    done: entries.filter(([table, wanted]) => isAsWanted(wanted, present.get(table))).map(first),
    conflicts: entries
      .filter(([table, wanted]) => present.has(table) && !isAsWanted(wanted, present.get(table)))
      .map(([table, wanted]) => describeConflict(table, wanted, present.get(table))),
  };
}

const first = ([table]: [string, Placement]): string => table;

function isAsWanted(wanted: Placement, found: Placed | undefined): boolean {
  if (wanted.kind === 'local') return found === undefined;
  return found?.kind === wanted.kind && (wanted.kind === 'reference' || found.by === wanted.by);
}

function toStep(table: string, placement: Placement): Step[] {
  if (placement.kind === 'local') return [];
  if (placement.kind === 'reference') {
    const sql = `SELECT create_reference_table('${table}')`;
    return [{ table, what: 'whole on every node', sql }];
  }
  const { by, with: group } = placement;
  const neighbour = group === table ? 'none' : group;
  return [
    {
      table,
      what: `by ${by}${group === table ? '' : `, with ${group}`}`,
      sql: `SELECT create_distributed_table('${table}', '${by}', colocate_with => '${neighbour}')`,
    },
  ];
}

function describeConflict(table: string, wanted: Placement, found: Placed | undefined): string {
  const is = found?.kind === 'reference' ? 'a reference table' : `distributed by ${found?.by}`;
  const shall = wanted.kind === 'distributed' ? `distributed by ${wanted.by}` : wanted.kind;
  return `${table} is ${is}, and shall be ${shall}: undo it with undistribute_table first.`;
}
