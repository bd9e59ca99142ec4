// Distributes the schema over a Citus cluster, or says why that cannot be done.
import pg from 'pg';
import { findObstacles } from './find-obstacles.ts';
import { PLACEMENTS } from './placements.ts';
import type { DistributionPlan, Placed } from './plan-distribution.ts';
import { planDistribution } from './plan-distribution.ts';
import { readTables } from './read-tables.ts';

/** The database cannot be distributed; each problem is a sentence. */
export class DistributionError extends Error {
  override readonly name = 'DistributionError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

export type DistributeOptions = {
  /** Of the coordinator, as a user who owns the tables. */
  url: string;
  /** Only plans, and needs no Citus for it. */
  dryRun?: boolean;
  onStep?: (sentence: string) => void;
};

/**
 * Safe to repeat: each table is placed in a transaction of its own, and one that is where it shall be is left alone. Stop the
 * services meanwhile: a table that is being placed cannot be written. Throws `DistributionError`.
 */
export async function distribute(options: DistributeOptions): Promise<DistributionPlan> {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: 'muster-distribute',
  });
  await client.connect();
  try {
    return await distributeOn(client, options);
  } finally {
    await client.end();
  }
}

async function distributeOn(
  client: pg.Client,
  { dryRun = false, onStep = () => {} }: DistributeOptions,
): Promise<DistributionPlan> {
  const tables = await readTables(client);
  if (tables.length === 0) throw new DistributionError([NOT_MIGRATED]);
  const obstacles = findObstacles(tables, PLACEMENTS);
  if (obstacles.length > 0) throw new DistributionError(obstacles);
  const hasCitus = await isInstalled(client);
  if (!hasCitus && !dryRun) throw new DistributionError([NO_CITUS]);
  const plan = planDistribution(PLACEMENTS, hasCitus ? await readPlaced(client) : []);
  if (plan.conflicts.length > 0) throw new DistributionError(plan.conflicts);
  // The one trigger of the schema checks a value of the row that is written, and reads nothing else.
  if (!dryRun) await client.query('SET citus.enable_unsafe_triggers TO on');
  for (const { table, what, sql } of plan.steps) {
    onStep(`${table}: ${what}`);
    if (!dryRun) await client.query(sql);
  }
  return plan;
}

const NOT_MIGRATED =
  'The database has no tables yet: start the service on it once, which makes them.';
const NO_CITUS =
  'The database has no extension "citus": this needs the coordinator of a Citus cluster, and CREATE EXTENSION citus in this database.';

async function isInstalled(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  return rowCount === 1;
}

async function readPlaced(client: pg.Client): Promise<Placed[]> {
  const { rows } = await client.query<Placed>(`
    SELECT table_name::text AS "table", citus_table_type AS kind,
      nullif(distribution_column, '<none>') AS by
    FROM citus_tables WHERE citus_table_type IN ('distributed', 'reference')`);
  return rows;
}
