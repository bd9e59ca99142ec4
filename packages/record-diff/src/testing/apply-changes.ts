// Applies changes as someone who reads them would, without the code under test.
import type { FieldChange } from '../index.ts';

type Json = Record<string, unknown>;
type Threshold = { level: number; xp: unknown };

export const applyChanges = (before: Json | null, changes: readonly FieldChange[]): Json => {
  const fields = new Map(Object.entries(before ?? {}));
  for (const { path, after } of changes) {
    const [field, element] = path as [string, string | number | undefined];
    const value = element === undefined ? after : setElement(fields.get(field), element, after);
    if (value === undefined) fields.delete(field);
    else fields.set(field, value);
  }
  return Object.fromEntries(fields);
};

const setElement = (collection: unknown, id: string | number, value: unknown): unknown => {
  if (typeof id === 'number') {
    const others = (collection as Threshold[]).filter(({ level }) => level !== id);
    const all = value === undefined ? others : [...others, { level: id, xp: value }];
    return all.sort((left, right) => left.level - right.level);
  }
  if (Array.isArray(collection)) {
    const others = collection.filter((tag) => tag !== id);
    return value === undefined ? others : [...others, value];
  }
  const others = Object.entries(collection as Json).filter(([key]) => key !== id);
  return Object.fromEntries(value === undefined ? others : [...others, [id, value]]);
};
