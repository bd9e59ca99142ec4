// The parse trees of PostgreSQL's own parser, read as plain trees: a node is an object of one field, named for its kind.

export type Tree = Readonly<Record<string, unknown>>;

export const toTree = (value: unknown): Tree => (isTree(value) ? value : {});

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** The nodes of a list, as kind and fields. */
export const toNodes = (value: unknown): [string, Tree][] =>
  Array.isArray(value) ? value.flatMap(toNode) : [];

/** A node as kind and fields; nothing where there is none. */
export const toNode = (value: unknown): [string, Tree][] =>
  Object.entries(toTree(value))
    .slice(0, 1)
    .map(([kind, fields]) => [kind, toTree(fields)]);

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The texts of a list of strings, such as the parts of a name. */
export const toNames = (value: unknown): string[] =>
  toNodes(value).flatMap(([kind, { sval }]) => (kind === 'String' ? [toText(sval)] : []));

/** Every node below a value, but for what is below those that `stop` keeps closed. */
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
