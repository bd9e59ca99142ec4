import type { Delta } from 'jsondiffpatch';
import { create } from 'jsondiffpatch';
import type { Element } from './elements.ts';
import { isOrdered, readElements } from './elements.ts';
import type { FieldChange } from './field-change.ts';
import { toChange } from './field-change.ts';
import { isSameValue } from './is-same-value.ts';

/**
 * What turns `before` into `after`, field by field, in the order of the fields; null stands for no record. Lists and
 * maps that both have differ by element. A tag that only moved is no change of that tag: when tags moved there is one
 * change of the field `tags`, with both lists.
 */
export const diffRecords = (before: object | null, after: object | null): FieldChange[] => {
  const [left, right] = [toFields(before), toFields(after)];
  const fields = new Set([...left.keys(), ...right.keys()]);
  return [...fields].flatMap((field) => diffField(field, left.get(field), right.get(field)));
};

/** A map, since a name such as `constructor` would be found in any object. */
export const toFields = (record: object | null): Map<string, unknown> =>
  new Map(Object.entries(record ?? {}));

export const diffField = (field: string, before: unknown, after: unknown): FieldChange[] => {
  if (isSameValue(before, after)) return [];
  const left = before === undefined ? null : readElements(field, before);
  const right = after === undefined ? null : readElements(field, after);
  return left && right ? diffElements(field, left, right) : [toChange([field], before, after)];
};

const differ = create();
const MOVED = 3;

const diffElements = (field: string, left: Element[], right: Element[]): FieldChange[] => {
  const [before, after] = [valuesById(left), valuesById(right)];
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  const change = (id: Element['id']) => toChange([field, id], before.get(id), after.get(id));
  if (!isOrdered(field)) {
    const delta = differ.diff(keyById(left), keyById(right)) as Record<string, Delta> | undefined;
    return ids
      .filter((id) => delta?.[keyOf(id)] !== undefined)
      .sort(compareIds)
      .map(change);
  }
  const delta = Object.entries(differ.diff(valuesOf(left), valuesOf(right)) ?? {});
  const moved = delta.some(([, part]) => Array.isArray(part) && part[2] === MOVED);
  const changes = ids.filter((id) => before.has(id) !== after.has(id)).map(change);
  return moved ? [...changes, toChange([field], valuesOf(left), valuesOf(right))] : changes;
};

/**
 * Elements whose order says nothing are compared as the properties of an object: in a list, aligning 1,000 levels with
 * 1,000 others takes a second. The colon keeps keys apart from what every object inherits (`constructor`).
 */
const keyById = (elements: readonly Element[]): object =>
  Object.fromEntries(elements.map(({ id, value }) => [keyOf(id), value]));
const keyOf = (id: Element['id']): string => `:${id}`;

const valuesOf = (elements: readonly Element[]): unknown[] => elements.map(({ value }) => value);

export const valuesById = (elements: readonly Element[]): Map<Element['id'], unknown> =>
  new Map(elements.map(({ id, value }) => [id, value]));

/** By code unit, so that every runtime agrees; levels by number. */
const compareIds = (left: Element['id'], right: Element['id']): number =>
  left < right ? -1 : left > right ? 1 : 0;
