// Distributes the schema over a Citus cluster, or explains why that is impossible.

import type pg from 'pg';
import { withClient } from '../client.ts';
import type { Placement } from './placements.ts';
import { FUNCTIONS_EVERYWHERE, PLACED_FUNCTIONS, PLACEMENTS } from './placements.ts';

/** The database cannot be distributed; each problem is a sentence. */
export class DistributionError extends Error {
  override readonly name = 'DistributionError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

type DistributeOptions = {
  /** Of the coordinator, as a user who owns the tables. */
  url: string;
  /** Only plans, and needs no Citus for it. */
  dryRun?: boolean;
  onStep?: (sentence: string) => void;
};

/**
 * Safe to repeat: it places each table in a transaction of its own, and skips a table that is already in place. Stop the
 * services first, since a table cannot be written while it is being placed. Throws `DistributionError`.
 */
export function distribute(options: DistributeOptions): Promise<DistributionPlan> {
  const config = { connectionString: options.url, application_name: 'muster-distribute' };
  return withClient(config, (client) => distributeOn(client, options));
}

async function distributeOn(
  client: pg.Client,
  { dryRun = false, onStep = () => {} }: DistributeOptions,
): Promise<DistributionPlan> {
  const tables = await readTables(client);
  if (tables.length === 0) throw new DistributionError([NOT_MIGRATED]);
  const obstacles = findObstacles(tables, PLACEMENTS);
  if (obstacles.length > 0) throw new DistributionError(obstacles);
  const installed = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  const hasCitus = installed.rowCount === 1;
  if (!hasCitus && !dryRun) throw new DistributionError([NO_CITUS]);
  const plan = planDistribution(PLACEMENTS, hasCitus ? await readPlaced(client) : []);
  if (plan.conflicts.length > 0) throw new DistributionError(plan.conflicts);
  // The triggers of the schema use the row that is written, and the shard of values beside a shard of records.
  if (!dryRun) await client.query('SET citus.enable_unsafe_triggers TO on');
  if (!dryRun) await client.query(CHOOSE_SHARDS);
  for (const { table, what, sql } of plan.steps) {
    onStep(`${table}: ${what}`);
    if (!dryRun) await client.query(sql);
  }
  if (!dryRun) await placeFunctions(client);
  return plan;
}

/**
 * Four shards for each worker, so that there can be four times as many, where nothing else is set. A statement writes to one shard: with the 32 that
 * Citus would make, two workers spend two thirds more on a join.
 */
const CHOOSE_SHARDS = `
  SELECT set_config(name, greatest(8, 4 * (
    SELECT count(*) FROM pg_dist_node WHERE shouldhaveshards AND isactive AND noderole = 'primary'))::text, false)
  FROM pg_settings WHERE name = 'citus.shard_count' AND source = 'default'`;

/** Repeated, it makes the functions of shards that were moved since. */
async function placeFunctions(client: pg.Client): Promise<void> {
  for (const [name, table] of Object.entries(PLACED_FUNCTIONS)) {
    for (const setting of name.endsWith('_of_node') ? SHARD_SETTINGS : CITUS_SETTINGS) {
      await client.query(`ALTER FUNCTION ${name} SET ${setting}`);
    }
    await client.query(
      `SELECT create_distributed_function('${name}'::regproc::regprocedure, '$1', colocate_with => '${table}')`,
    );
  }
  for (const name of FUNCTIONS_EVERYWHERE) {
    await client.query(`SELECT create_distributed_function('${name}'::regproc::regprocedure)`);
  }
  const made = await client.query<{ result: string }>(MAKE_SHARD_FUNCTIONS);
  if (made.rowCount !== 0) throw new DistributionError(made.rows.map(({ result }) => result));
}

/** On each node; the rows are the errors. */
const MAKE_SHARD_FUNCTIONS = `
  SELECT nodeid || ': ' || result AS result
  FROM run_command_on_all_nodes('SELECT make_shard_functions()') WHERE NOT success`;

/** Through Citus, a plan for any values would ask every shard. */
const CITUS_SETTINGS = [`plan_cache_mode = 'force_custom_plan'`];
/** Past Citus, one plan serves all values: the few rows of a call are found by their keys, however large a table is by then. */
const SHARD_SETTINGS = [
  `plan_cache_mode = 'force_generic_plan'`,
  ...['seqscan', 'hashjoin', 'mergejoin'].map((way) => `enable_${way} = off`),
];

const NOT_MIGRATED =
  'The database has no tables yet: start the service on it once, which makes them.';
const NO_CITUS =
  'The database has no extension "citus": this needs the coordinator of a Citus cluster, and CREATE EXTENSION citus in this database.';

async function readPlaced(client: pg.Client): Promise<Placed[]> {
  const { rows } = await client.query<Placed>(`
    SELECT table_name::text AS "table", citus_table_type AS kind,
      nullif(distribution_column, '<none>') AS by
    FROM citus_tables WHERE citus_table_type IN ('distributed', 'reference')`);
  return rows;
}

// From where the tables are to where they shall be: the calls of Citus, in order.

/** As the view `citus_tables` describes a table that is no longer local. */
export type Placed = {
  table: string;
  kind: 'distributed' | 'reference';
  /** Null for reference tables. */
  by: string | null;
};

type Step = { table: string; what: string; sql: string };

type DistributionPlan = {
  steps: readonly Step[];
  /** Tables that are where they shall be. */
  done: readonly string[];
  /** One sentence for each table with another placement, which only a person should change. */
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

// What would keep Citus from placing the tables as planned. The conditions are those of its documentation ("Creating and
// Modifying Distributed Objects", limitations) and of the errors that it raises (foreign_constraint.c, create_distributed_table.c).

type Placements = Readonly<Record<string, Placement>>;

/** Triggers that use only the row that they run for, or a shard beside it, and therefore work on any node. */
const HARMLESS_TRIGGERS: ReadonlySet<string> = new Set([
  'session_check_instance',
  'event_outbox_set_transaction',
  'audit_record_set_transaction',
  'catalogue_record_write_values',
]);

/** One sentence per obstacle; none: every table is placed once, and Citus takes it. */
export function findObstacles(tables: readonly Table[], placements: Placements): string[] {
  const known = new Set(tables.map(({ name }) => name));
  const unknown = Object.keys(placements).filter((name) => !known.has(name));
  return [
    ...unknown.map((name) => `${name} is placed, but there is no such table.`),
    ...tables.flatMap((table) => {
      const placement = placements[table.name];
      if (!placement) return [`${table.name} is not placed.`];
      return [
        ...findKeyObstacles(table, placement, { tables, placements }),
        ...table.foreignKeys.flatMap((key) => findReferenceObstacles(table, key, placements)),
        ...findTriggerObstacles(table, placement),
      ];
    }),
  ];
}

function findKeyObstacles(
  table: Table,
  placement: Placement,
  { tables, placements }: { tables: readonly Table[]; placements: Placements },
): string[] {
  if (placement.kind !== 'distributed') return [];
  const { name, columns, nullable, unique } = table;
  const { by, with: group } = placement;
  const type = columns[by];
  if (type === undefined) return [`${name} has no column ${by} to be distributed by.`];
  const leader = tables.find((other) => other.name === group);
  const leading = placements[group];
  const leadingBy = leading?.kind === 'distributed' ? leading.by : '';
  return [
    ...(nullable.includes(by) ? [`${name}.${by} may be NULL, which belongs to no node.`] : []),
    ...(leader?.columns[leadingBy] === type
      ? []
      : [`${name} cannot live with ${group}, whose key is of another type.`]),
    ...unique
      .filter((index) => !index.columns.includes(by))
      .map((index) => `${index.name} would have to be unique across nodes: it lacks ${by}.`),
  ];
}

function findReferenceObstacles(table: Table, key: ForeignKey, placements: Placements): string[] {
  const [from, to] = [placements[table.name], placements[key.references.table]];
  const sentence = (why: string) => [`${key.name} of ${table.name} ${why}.`];
  if (!from || !to || (to.kind === from.kind && from.kind !== 'distributed')) return [];
  if (from.kind === 'local' || to.kind === 'local')
    return sentence('leaves or enters the coordinator');
  if (to.kind === 'reference') return [];
  if (from.kind === 'reference') return sentence('leads from every node to one');
  if (from.kind !== 'distributed' || from.with !== to.with)
    return sentence('leads to another group');
  const place = key.columns.indexOf(from.by);
  if (place < 0 || key.references.columns[place] !== to.by) {
    return sentence(`does not carry ${from.by} to ${to.by}`);
  }
  if (key.onUpdate !== 'a' && key.onUpdate !== 'r') return sentence('follows keys that change');
  return key.onDelete === 'n' || key.onDelete === 'd' ? sentence('would empty the key') : [];
}

function findTriggerObstacles({ name, triggers }: Table, { kind }: Placement): string[] {
  if (kind === 'local') return [];
  return triggers
    .filter((trigger) => !HARMLESS_TRIGGERS.has(trigger))
    .map((trigger) => `${trigger} of ${name} may reach for rows of other nodes.`);
}

// What the catalogue of PostgreSQL says about the tables of the schema, as far as it matters where they are placed.

export type Table = {
  name: string;
  /** Types by column; those that may be NULL are in `nullable`. */
  columns: Readonly<Record<string, string>>;
  nullable: readonly string[];
  /** Primary key, unique constraints, unique indexes and exclusion constraints; expressions are no column. */
  unique: readonly { name: string; columns: readonly string[] }[];
  foreignKeys: readonly ForeignKey[];
  triggers: readonly string[];
};

type ForeignKey = {
  name: string;
  columns: readonly string[];
  references: { table: string; columns: readonly string[] };
  /** As pg_constraint names them: a no action, r restrict, c cascade, n set null, d set default. */
  onUpdate: string;
  onDelete: string;
};

export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(TABLES);
  return rows;
}

/** Each list is never null, and sorted, so that two readings of one schema are alike. */
const TABLES = `
  SELECT c.relname AS name,
    (SELECT json_object_agg(a.attname, format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum)
       FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    (SELECT coalesce(json_agg(a.attname ORDER BY a.attnum), '[]')
       FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
         AND NOT a.attnotnull) AS nullable,
    (SELECT coalesce(json_agg(json_build_object('name', i.indexrelid::regclass::text, 'columns',
         (SELECT coalesce(json_agg(a.attname ORDER BY k.place), '[]')
            FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place)
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
            WHERE k.place <= i.indnkeyatts)) ORDER BY i.indexrelid::regclass::text), '[]')
       FROM pg_index i WHERE i.indrelid = c.oid AND (i.indisunique OR i.indisexclusion)) AS unique,
    (SELECT coalesce(json_agg(json_build_object('name', f.conname,
         'columns', (SELECT json_agg(a.attname ORDER BY k.place)
            FROM unnest(f.conkey) WITH ORDINALITY AS k(number, place)
            JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.number),
         'references', json_build_object('table', f.confrelid::regclass::text, 'columns',
           (SELECT json_agg(a.attname ORDER BY k.place)
            FROM unnest(f.confkey) WITH ORDINALITY AS k(number, place)
            JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.number)),
         'onUpdate', f.confupdtype, 'onDelete', f.confdeltype) ORDER BY f.conname), '[]')
       FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f') AS "foreignKeys",
    (SELECT coalesce(json_agg(t.tgname ORDER BY t.tgname), '[]')
       FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal) AS triggers
  FROM pg_class c
  WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
    -- Citus leaves what belongs to its extension in pg_catalog, but for some views.
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relname`;
