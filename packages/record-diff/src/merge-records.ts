import type { Element, FieldChange, FieldConflict } from './diff-records.ts';
import {
  diffField,
  isOrdered,
  isSameValue,
  readElements,
  toConflict,
  toFields,
  valuesById,
  writeElements,
} from './diff-records.ts';

export type MergeResult<R> = {
  /** Both edits; where they contradict each other it holds mine. */
  merged: R;
  conflicts: FieldConflict[];
};

/**
 * Merges two edits of one record: `base` is the version that both started from. A change of one side is taken; different
 * changes of both sides are a conflict. Every value that either side gave is in `merged` or in a conflict. The
 * result may break a rule that each side kept (levels that no longer rise): validate it before it is saved.
 */
export const mergeRecords = <R extends object>(base: R, theirs: R, mine: R): MergeResult<R> => {
  const [b, t, m] = [toFields(base), toFields(theirs), toFields(mine)];
  const conflicts: FieldConflict[] = [];
  const merged = new Map<string, unknown>();
  for (const field of new Set([...m.keys(), ...t.keys()])) {
    const sides = { base: b.get(field), theirs: t.get(field), mine: m.get(field) };
    const result = mergeField(field, sides);
    if (result.value !== undefined) merged.set(field, result.value);
    conflicts.push(...result.conflicts);
  }
  return { merged: Object.fromEntries(merged) as R, conflicts };
};

type Sides<T> = { base: T; theirs: T; mine: T };
type Merged = { value: unknown; conflicts: FieldConflict[] };

const mergeField = (field: string, sides: Sides<unknown>): Merged => {
  const { base, theirs, mine } = sides;
  if (isSameValue(mine, base)) return { value: theirs, conflicts: [] };
  if (isSameValue(theirs, base) || isSameValue(theirs, mine)) return { value: mine, conflicts: [] };
  const elements = {
    base: readElements(field, base),
    theirs: readElements(field, theirs),
    mine: readElements(field, mine),
  };
  return elements.base && elements.theirs && elements.mine
    ? mergeElements(field, elements as Sides<Element[]>)
    : { value: mine, conflicts: [toConflict([field], sides)] };
};

const mergeElements = (field: string, { base, theirs, mine }: Sides<Element[]>): Merged => {
  const write = (elements: readonly Element[]) => writeElements(field, elements);
  const changesOf = (side: Element[]) => diffField(field, write(base), write(side));
  const [theirChanges, myChanges] = [changesOf(theirs), changesOf(mine)];
  const mineById = new Map(myChanges.filter(isOfElement).map((change) => [change.path[1], change]));
  const values = valuesById(mine);
  const conflicts: FieldConflict[] = [];
  for (const change of theirChanges.filter(isOfElement)) {
    const { path, before, after } = change;
    const own = mineById.get(path[1]);
    const id = path[1] as Element['id'];
    if (own && !isSameValue(own.after, after)) {
      conflicts.push(toConflict(path, { base: before, theirs: after, mine: own.after }));
    } else if (after === undefined) values.delete(id);
    else values.set(id, after);
  }
  // The order of tags is mine, unless only they moved some.
  const theyOrder = hasMoves(theirChanges) && !hasMoves(myChanges) && isOrdered(field);
  const ids = (theyOrder ? [...theirs, ...mine] : [...mine, ...theirs]).map(({ id }) => id);
  const kept = [...new Set(ids)].filter((id) => values.has(id));
  return { value: write(kept.map((id) => ({ id, value: values.get(id) }))), conflicts };
};

const isOfElement = ({ path }: FieldChange): boolean => path.length === 2;
const hasMoves = (changes: readonly FieldChange[]): boolean => !changes.every(isOfElement);

/** The record with the place of the conflict as one side has it; all else stays. */
export const resolveConflict = <R extends object>(
  record: R,
  { path, ...sides }: FieldConflict,
  side: 'base' | 'theirs' | 'mine',
): R => {
  const fields = toFields(record);
  const field = String(path[0]);
  const value = path.length === 1 ? sides[side] : withElement(fields.get(field));
  if (value === undefined) fields.delete(field);
  else fields.set(field, value);
  return Object.fromEntries(fields) as R;

  function withElement(current: unknown): unknown {
    const [, id] = path;
    const elements = readElements(field, current);
    if (!elements || id === undefined) return current;
    const chosen = sides[side] === undefined ? [] : [{ id, value: sides[side] }];
    const place = elements.findIndex((element) => element.id === id);
    if (place < 0) return writeElements(field, [...elements, ...chosen]);
    return writeElements(field, elements.toSpliced(place, 1, ...chosen));
  }
};
