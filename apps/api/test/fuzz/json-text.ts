// JSON as text that can be mutated: duplicate members, numbers that no serializer writes, keys that JavaScript treats
// specially.
import fc from 'fast-check';
import { HOSTILE_JSON, HOSTILE_KEYS } from './hostile-values.ts';

type Tree =
  | { kind: 'object'; entries: [string, Tree][] }
  | { kind: 'list'; items: Tree[] }
  | { kind: 'scalar'; json: string };

type Change = { op: (typeof OPERATIONS)[number]; at: number; json: string; key: string };

const OPERATIONS = ['replace', 'drop', 'duplicate', 'rename', 'add', 'wrap', 'repeat'] as const;

const change: fc.Arbitrary<Change> = fc.record({
  op: fc.constantFrom(...OPERATIONS),
  at: fc.nat(60),
  json: fc.constantFrom(...HOSTILE_JSON),
  key: fc.constantFrom(...HOSTILE_KEYS),
});

/** Changes to the text of a value; mostly none. */
export const jsonChanges = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
);

/** The value as JSON text, after each change in turn. */
export const writeBent = (value: unknown, changes: readonly Change[]): string => {
  let tree = toTree(value);
  for (const one of changes) tree = bend(tree, one);
  return write(tree);
};

const toTree = (value: unknown): Tree => {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(toTree) };
  if (typeof value !== 'object' || value === null) {
    return { kind: 'scalar', json: JSON.stringify(value) ?? 'null' };
  }
  const entries = Object.entries(value).map(([key, inner]): [string, Tree] => [key, toTree(inner)]);
  return { kind: 'object', entries };
};

const write = (tree: Tree): string => {
  if (tree.kind === 'scalar') return tree.json;
  if (tree.kind === 'list') return `[${tree.items.map(write).join(',')}]`;
  const members = tree.entries.map(([key, inner]) => `${JSON.stringify(key)}:${write(inner)}`);
  return `{${members.join(',')}}`;
};

/** A value inside another one, and how to replace it. */
type Slot = { key: string; tree: Tree; put(...members: [string, Tree][]): void };

const bend = (root: Tree, { op, at, json, key }: Change): Tree => {
  const slots = listSlots(root);
  const slot = slots[at % (slots.length + 1)];
  const hostile: Tree = { kind: 'scalar', json };
  // One index more than there are slots represents the whole value.
  if (!slot) return op === 'add' && root.kind === 'object' ? add(root, key, hostile) : hostile;
  const { tree } = slot;
  const same: [string, Tree] = [slot.key, tree];
  if (op === 'replace') slot.put([slot.key, hostile]);
  if (op === 'drop') slot.put();
  if (op === 'duplicate') slot.put(same, [slot.key, hostile]);
  if (op === 'rename') slot.put([key, tree]);
  if (op === 'add') slot.put(same, [key, hostile]);
  if (op === 'wrap') slot.put([slot.key, { kind: 'list', items: [tree] }]);
  if (op === 'repeat') slot.put([slot.key, { kind: 'list', items: Array(300).fill(tree) }]);
  return root;
};

const add = (root: Tree & { kind: 'object' }, key: string, tree: Tree): Tree => ({
  ...root,
  entries: [...root.entries, [key, tree]],
});

const listSlots = (tree: Tree): Slot[] => {
  if (tree.kind === 'scalar') return [];
  if (tree.kind === 'list') {
    return tree.items.flatMap((inner, index) => [
      {
        key: '',
        tree: inner,
        put: (...members) => {
          tree.items.splice(index, 1, ...members.map(([, put]) => put));
        },
      },
      ...listSlots(inner),
    ]);
  }
  return tree.entries.flatMap(([key, inner], index) => [
    {
      key,
      tree: inner,
      put: (...members) => {
        tree.entries.splice(index, 1, ...members);
      },
    },
    ...listSlots(inner),
  ]);
};
