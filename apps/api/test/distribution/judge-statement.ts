// Checks whether a statement touches only one group of tables, by its key, on the parse tree of PostgreSQL's own
// parser. A table is touched by its key when the key equals values of the request, directly or through other columns.
import type { Placement } from '@muster/database/distribution';
import { loadModule, parseSync } from 'libpg-query';
import type { Edge, Scope, Source, Tree } from './pinned-columns.ts';
import {
  isPinnedExpression,
  nameOfTarget,
  openScope,
  readEqualities,
  readUsing,
  settle,
  toNames,
  toNode,
  toNodes,
  toText,
  toTree,
  walk,
} from './pinned-columns.ts';

export type Schema = {
  placements: Readonly<Record<string, Placement>>;
  columns: ReadonlyMap<string, readonly string[]>;
};

/** The result columns of a query. */
type Output = { name: string; isPinned: boolean }[];

type Context = {
  schema: Schema;
  /** Visible common table expressions. */
  named: ReadonlyMap<string, Output>;
  touched: Map<string, boolean>;
};

await loadModule();

const HARMLESS =
  /^(?:Transaction|VariableSet|VariableShow|Vacuum|Lock|Explain|Prepare|Discard)Stmt$/;

/** One sentence per fault; none for a statement that one node of a sharded database can run. Throws on bad syntax. */
export const judgeStatement = (sql: string, schema: Schema): string[] => {
  const touched = new Map<string, boolean>();
  for (const { stmt } of parseSync(sql).stmts ?? []) {
    const [[kind] = ['']] = toNode(stmt);
    if (!HARMLESS.test(kind)) readQuery(stmt, null, { schema, touched, named: new Map() });
  }
  const distributed = [...touched].flatMap(([table, hasKey]) => {
    const placement = schema.placements[table];
    // Each node has its own system catalogue.
    if (table.startsWith('pg_')) return [];
    if (!placement) return [{ fault: `${table} is no table of the schema.`, group: table }];
    if (placement.kind !== 'distributed') return [];
    const fault = hasKey ? null : `${table} is touched without its ${placement.by}.`;
    return [{ fault, group: placement.with }];
  });
  const groups = [...new Set(distributed.map(({ group }) => group))];
  return [
    ...distributed.flatMap(({ fault }) => fault ?? []),
    ...(groups.length > 1 ? [`It touches several groups: those of ${groups.join(' and ')}.`] : []),
  ];
};

const readQuery = (node: unknown, outer: Scope | null, around: Context): Output => {
  const [[kind, fields] = ['', {}]] = toNode(node);
  const context = { ...around, named: readNamed(fields.withClause, outer, around) };
  switch (kind) {
    case 'SelectStmt':
      return readSelect(fields, outer, context);
    case 'InsertStmt':
      return readInsert(fields, outer, context);
    case 'UpdateStmt':
      return readChange(fields, toList(fields.fromClause), outer, context);
    case 'DeleteStmt':
      return readChange(fields, toList(fields.usingClause), outer, context);
    default:
      throw new Error(`A statement of the kind ${kind} is not understood.`);
  }
};

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const readNamed = (withClause: unknown, outer: Scope | null, context: Context) => {
  const named = new Map(context.named);
  for (const [, { ctename, ctequery }] of toNodes(toTree(withClause).ctes)) {
    named.set(toText(ctename), readQuery(ctequery, outer, { ...context, named }));
  }
  return named;
};

const readSelect = (select: Tree, outer: Scope | null, context: Context): Output => {
  if (select.larg && select.rarg) {
    const left = readQuery({ SelectStmt: select.larg }, outer, context);
    const right = readQuery({ SelectStmt: select.rarg }, outer, context);
    return left.map(({ name, isPinned }, index) => ({
      name,
      isPinned: isPinned && right[index]?.isPinned === true,
    }));
  }
  const scope = openScope(outer);
  if (select.valuesLists) return readValues(toList(select.valuesLists), scope);
  const { fromClause, ...rest } = select;
  const finish = readSources(toList(fromClause), scope, context);
  addCondition(select.whereClause, scope, context);
  finish();
  readSublinks(rest, scope, context);
  note(scope, context);
  return readTargets(select.targetList, scope);
};

const readValues = (lists: readonly unknown[], scope: Scope): Output => {
  const rows = lists.map((list) => toList(toTree(toTree(list).List).items));
  return (rows[0] ?? []).map((_, index) => ({
    name: `column${index + 1}`,
    isPinned: rows.every((row) => isPinnedExpression(row[index], scope)),
  }));
};

const readInsert = (insert: Tree, outer: Scope | null, context: Context): Output => {
  const table = toText(toTree(insert.relation).relname);
  const all = context.schema.columns.get(table) ?? [];
  const named = toNodes(insert.cols).map(([, target]) => toText(target.name));
  const columns = named.length > 0 ? named : all;
  const given = readQuery(insert.selectStmt, outer, context);
  const pinned = new Set(columns.filter((_, index) => given[index]?.isPinned));
  const alias = toText(toTree(toTree(insert.relation).alias).aliasname) || table;
  const scope = openScope(outer);
  scope.sources.push({ alias, table, columns: all, pinned });
  note(scope, context);
  return readTargets(toTree(insert.returningClause).exprs, scope);
};

/** An update or a delete. */
const readChange = (
  change: Tree,
  from: readonly unknown[],
  outer: Scope | null,
  context: Context,
): Output => {
  const scope = openScope(outer);
  const finish = readSources([{ RangeVar: change.relation }, ...from], scope, context);
  addCondition(change.whereClause, scope, context);
  finish();
  readSublinks([change.targetList, change.whereClause, change.returningClause], scope, context);
  note(scope, context);
  return readTargets(toTree(change.returningClause).exprs, scope);
};

/** Adds the FROM sources. The result reads the subqueries among them, once their conditions are known. */
const readSources = (from: readonly unknown[], scope: Scope, context: Context): (() => void) => {
  const subqueries: (() => void)[] = [];
  for (const each of from) addSource(each, scope, { context, subqueries });
  return () => {
    settle(scope);
    for (const read of subqueries) {
      read();
      settle(scope);
    }
  };
};

type Pending = { context: Context; subqueries: (() => void)[] };

const addSource = (node: unknown, scope: Scope, pending: Pending): Source[] => {
  const [[kind, fields] = ['', {}]] = toNode(node);
  if (kind === 'JoinExpr') return addJoin(fields, scope, pending);
  const source = toSource(kind, fields, scope, pending);
  scope.sources.push(source);
  return [source];
};

const toSource = (
  kind: string,
  fields: Tree,
  scope: Scope,
  { context, subqueries }: Pending,
): Source => {
  const alias = toText(toTree(fields.alias).aliasname);
  const renamed = toNames(toTree(fields.alias).colnames);
  if (kind === 'RangeVar') {
    const table = toText(fields.relname);
    const output = fields.schemaname ? undefined : context.named.get(table);
    if (output) return { alias: alias || table, ...toColumns(output, renamed) };
    const columns = context.schema.columns.get(table) ?? [];
    return { alias: alias || table, table, columns, pinned: new Set() };
  }
  if (kind === 'RangeFunction') {
    const defined = toNodes(fields.coldeflist).map(([, { colname }]) => toText(colname));
    const columns = defined.length > 0 ? defined : renamed.length > 0 ? renamed : [alias];
    const isPinned = isPinnedExpression({ Functions: fields.functions }, scope);
    return { alias, columns, pinned: new Set(isPinned ? columns : []) };
  }
  if (kind !== 'RangeSubselect') throw new Error(`A source of the kind ${kind} is not understood.`);
  const read = (touched: Context['touched']) =>
    toColumns(readQuery(fields.subquery, scope, { ...context, touched }), renamed);
  const source: Source = { alias, columns: read(new Map()).columns, pinned: new Set() };
  subqueries.push(() => {
    for (const column of read(context.touched).pinned) source.pinned.add(column);
  });
  return source;
};

const toColumns = (output: Output, renamed: readonly string[]) => {
  const columns = output.map(({ name }, index) => renamed[index] ?? name);
  return { columns, pinned: new Set(columns.filter((_, index) => output[index]?.isPinned)) };
};

const addJoin = (join: Tree, scope: Scope, pending: Pending): Source[] => {
  const left = addSource(join.larg, scope, pending);
  const right = addSource(join.rarg, scope, pending);
  const edges = [...readUsing(join.usingClause, left, right), ...readEqualities(join.quals, scope)];
  scope.edges.push(...edges.filter((edge) => holds(edge, toText(join.jointype), left, right)));
  return [...left, ...right];
};

/** A condition of an outer join only applies to the rows of the optional side. */
const holds = (
  [, { source }]: Edge,
  type: string,
  left: readonly Source[],
  right: readonly Source[],
): boolean => {
  if (type === 'JOIN_INNER') return true;
  if (type === 'JOIN_LEFT') return right.includes(source);
  return type === 'JOIN_RIGHT' && left.includes(source);
};

const addCondition = (condition: unknown, scope: Scope, context: Context): void => {
  scope.edges.push(...readEqualities(condition, scope));
  settle(scope);
  // `key IN (SELECT …)` provides values when the subquery does.
  const parts = toNode(condition).flatMap(([kind, { boolop, args }]) =>
    kind === 'BoolExpr' && boolop === 'AND_EXPR' ? toNodes(args) : toNode(condition),
  );
  for (const [kind, { subLinkType, testexpr, subselect }] of parts) {
    if (kind !== 'SubLink' || subLinkType !== 'ANY_SUBLINK') continue;
    const [found] = readQuery(subselect, scope, { ...context, touched: new Map() });
    if (!found?.isPinned) continue;
    const equality = { kind: 'AEXPR_OP', name: [{ String: { sval: '=' } }], lexpr: testexpr };
    const value = { ParamRef: { number: 1 } };
    scope.edges.push(...readEqualities({ A_Expr: { ...equality, rexpr: value } }, scope));
  }
};

const readSublinks = (part: unknown, scope: Scope, context: Context): void =>
  walk(part, (kind, { subselect }) => {
    if (kind !== 'SubLink') return kind !== 'withClause';
    readQuery(subselect, scope, context);
    return false;
  });

/** A table that a statement touches twice needs its key both times. */
const note = ({ sources }: Scope, { schema, touched }: Context): void => {
  for (const { table, pinned } of sources) {
    if (table === undefined) continue;
    const placement = schema.placements[table];
    const hasKey = placement?.kind !== 'distributed' || pinned.has(placement.by);
    touched.set(table, hasKey && touched.get(table) !== false);
  }
};

const readTargets = (targets: unknown, scope: Scope): Output =>
  toNodes(targets).flatMap(([, target]) => {
    const [[kind, fields] = ['', {}]] = toNode(target.val);
    const isStar = kind === 'ColumnRef' && JSON.stringify(fields.fields).includes('A_Star');
    if (!isStar) {
      return [{ name: nameOfTarget(target), isPinned: isPinnedExpression(target.val, scope) }];
    }
    const [alias] = toNames(fields.fields).slice(-1);
    return scope.sources
      .filter((source) => alias === undefined || source.alias === alias)
      .flatMap(({ columns, pinned }) =>
        columns.map((name) => ({ name, isPinned: pinned.has(name) })),
      );
  });
