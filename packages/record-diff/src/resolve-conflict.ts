import { toFields } from './diff-records.ts';
import { readElements, writeElements } from './elements.ts';
import type { FieldConflict } from './field-change.ts';

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
