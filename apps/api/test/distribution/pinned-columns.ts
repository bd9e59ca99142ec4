// Finds the columns of a query that only have values from the request: a parameter, or another such column that is
// equal.

/** A source of rows: a table, a function, a subquery or a common table expression. */
export type Source = {
  alias: string;
  /** Of a table. */
  table?: string;
  columns: readonly string[];
  pinned: Set<string>;
};

export type Scope = {
  sources: Source[];
  edges: Edge[];
  /** The outer query, whose columns are values here. */
  outer: Scope | null;
};

type Column = { source: Source; name: string };
type Term = Column | 'value' | null;
/** If the left column is pinned, so is the right one. */
export type Edge = [Column | 'value', Column];

export const openScope = (outer: Scope | null): Scope => ({ sources: [], edges: [], outer });

/** Finds all columns that follow from the pinned ones. */
export const settle = ({ edges }: Scope): void => {
  for (let found = true; found; ) {
    found = false;
    for (const [from, to] of edges) {
      if (to.source.pinned.has(to.name) || !isPinned(from)) continue;
      to.source.pinned.add(to.name);
      found = true;
    }
  }
};

const isPinned = (term: Column | 'value'): boolean =>
  term === 'value' || term.source.pinned.has(term.name);

export const isPinnedExpression = (expression: unknown, scope: Scope): boolean => {
  const term = toTerm(expression, scope);
  return term !== null && isPinned(term);
};

const toTerm = (expression: unknown, scope: Scope): Term => {
  const [node] = toNode(expression);
  if (!node) return null;
  const [kind, fields] = node;
  if (kind === 'TypeCast') return toTerm(fields.arg, scope);
  if (kind !== 'ColumnRef') return isValue(expression) ? 'value' : null;
  const found = findColumn(toNames(fields.fields), scope);
  if (!found) return null;
  if (scope.sources.includes(found.source)) return found;
  return isPinned(found) ? 'value' : null;
};

/** True for an expression that reads no column. */
const isValue = (expression: unknown): boolean => {
  let isFree = true;
  walk(expression, (kind) => {
    if (kind === 'ColumnRef' || kind === 'RangeVar') isFree = false;
    return isFree;
  });
  return isFree;
};

const findColumn = (names: readonly string[], scope: Scope | null): Column | null => {
  const [alias, name = ''] = names.length > 1 ? names.slice(-2) : [undefined, names[0]];
  for (let here = scope; here; here = here.outer) {
    const source = here.sources.find((each) =>
      alias === undefined ? each.columns.includes(name) : each.alias === alias,
    );
    if (source) return { source, name };
  }
  return null;
};

/** The equalities that must hold when `condition` does. */
export const readEqualities = (condition: unknown, scope: Scope): Edge[] =>
  toNode(condition).flatMap(([kind, fields]): Edge[] => {
    if (kind === 'BoolExpr') {
      if (fields.boolop !== 'AND_EXPR') return [];
      return toNodes(fields.args).flatMap(([each, inner]) =>
        readEqualities({ [each]: inner }, scope),
      );
    }
    return kind === 'A_Expr' && toNames(fields.name).join() === '=' ? toEdges(fields, scope) : [];
  });

const toEdges = ({ kind, lexpr, rexpr }: Tree, scope: Scope): Edge[] => {
  const [left, right] = [toTerm(lexpr, scope), toTerm(rexpr, scope)];
  if (kind === 'AEXPR_OP') return [...toEdge(left, right), ...toEdge(right, left)];
  const isList = kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_IN';
  return isList && isValue(rexpr) ? toEdge('value', left) : [];
};

const toEdge = (from: Term, to: Term): Edge[] =>
  from === null || to === null || to === 'value' ? [] : [[from, to]];

/** `left JOIN right USING (…)`: the edges between the named columns. */
export const readUsing = (
  names: unknown,
  left: readonly Source[],
  right: readonly Source[],
): Edge[] =>
  toNames(names).flatMap((name) => {
    const [one, other] = [left, right].map((sources) =>
      sources.find(({ columns }) => columns.includes(name)),
    );
    if (!one || !other) return [];
    const ends = [one, other].map((source) => ({ source, name }));
    return [
      ...toEdge(ends[0] ?? null, ends[1] ?? null),
      ...toEdge(ends[1] ?? null, ends[0] ?? null),
    ];
  });

export const nameOfTarget = ({ name, val }: Tree): string => {
  if (toText(name)) return toText(name);
  const [[kind, fields] = ['', {}]] = toNode(val);
  if (kind === 'TypeCast') return nameOfTarget({ val: fields.arg });
  return toNames(kind === 'ColumnRef' ? fields.fields : fields.funcname).at(-1) ?? '?column?';
};

// Parse trees of PostgreSQL's own parser as plain objects: a node has one field with the name of its kind.

export type Tree = Readonly<Record<string, unknown>>;

export const toTree = (value: unknown): Tree => (isTree(value) ? value : {});

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** The nodes of a list, as kind and fields. */
export const toNodes = (value: unknown): [string, Tree][] =>
  Array.isArray(value) ? value.flatMap(toNode) : [];

/** A node as kind and fields; undefined without one. */
export const toNode = (value: unknown): [string, Tree][] =>
  Object.entries(toTree(value))
    .slice(0, 1)
    .map(([kind, fields]) => [kind, toTree(fields)]);

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The texts of a list of strings, such as the parts of a name. */
export const toNames = (value: unknown): string[] =>
  toNodes(value).flatMap(([kind, { sval }]) => (kind === 'String' ? [toText(sval)] : []));

/** Every node below a value, without the children of nodes for which `stop` is true. */
export const walk = (value: unknown, visit: (kind: string, fields: Tree) => boolean): void => {
  if (Array.isArray(value)) {
    for (const each of value) walk(each, visit);
    return;
  }
  for (const [kind, fields] of Object.entries(toTree(value))) {
    if (isTree(fields) && !visit(kind, fields)) continue;
    walk(fields, visit);
  }
};
