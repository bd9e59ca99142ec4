// What would keep Citus from placing the tables as planned. The conditions are those of its documentation ("Creating and
// Modifying Distributed Objects", limitations) and of the errors that it raises (foreign_constraint.c, create_distributed_table.c).
import type { Placement } from './placements.ts';
import type { ForeignKey, Table } from './read-tables.ts';

type Placements = Readonly<Record<string, Placement>>;

/** Triggers that look at nothing but the row that they were called for, hence work on any node. */
const HARMLESS_TRIGGERS: ReadonlySet<string> = new Set(['session_check_instance']);

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
