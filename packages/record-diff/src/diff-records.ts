import type { Delta } from 'jsondiffpatch';
import { create } from 'jsondiffpatch';

/**
 * Lists the changes from `before` to `after`, field by field, in the order of the fields; null means no record. Lists
 * and maps that both have differ by element. A tag that only moved is no change of that tag: when tags moved there is
 * one change of the field `tags`, with both lists.
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

/** A field, or one element of it by its identity: a tag, a level, a key of custom_data; never a position. */
export type ChangePath = (string | number)[];

export type FieldChange = {
  path: ChangePath;
  /** The path in words. */
  label: string;
  change: 'added' | 'removed' | 'changed';
  /** Absent when added. Of a level it is the experience that it begins at. */
  before?: unknown;
  /** Absent when removed. */
  after?: unknown;
};

/** Two edits that gave one place two values; a side is absent where it has no value there. */
export type FieldConflict = {
  path: ChangePath;
  label: string;
  base?: unknown;
  theirs?: unknown;
  mine?: unknown;
};

/** What a side says of a place: `undefined` says that nothing is there. */
const toChange = (path: ChangePath, before: unknown, after: unknown): FieldChange => ({
  path,
  label: describePath(path),
  change: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

export const toConflict = (
  path: ChangePath,
  { base, theirs, mine }: { base: unknown; theirs: unknown; mine: unknown },
): FieldConflict => ({
  path,
  label: describePath(path),
  ...(base !== undefined && { base }),
  ...(theirs !== undefined && { theirs }),
  ...(mine !== undefined && { mine }),
});

const describePath = ([field, element]: ChangePath): string => {
  const name = nameField(String(field));
  if (element === undefined) return name;
  return `${name}: ${typeof element === 'number' ? 'level ' : ''}${element}`;
};

// The lists and maps of a record as elements with an identity: tags by value, levels by number, custom_data by key.

export type Element = { id: string | number; value: unknown };

type Collection = {
  /** Null for what has no such elements or names one twice: it is then compared as a whole. */
  read(value: unknown): Element[] | null;
  write(elements: readonly Element[]): unknown;
  /** True when the order of the elements is the author's. */
  ordered: boolean;
};

const tags: Collection = {
  read: (value) =>
    Array.isArray(value) && value.every((tag) => typeof tag === 'string')
      ? value.map((tag) => ({ id: tag, value: tag }))
      : null,
  write: (elements) => elements.map(({ value }) => value),
  ordered: true,
};

const xpThresholds: Collection = {
  read: (value) => (Array.isArray(value) && value.every(isThreshold) ? value.map(toLevel) : null),
  write: (elements) =>
    elements
      .map(({ id, value }) => ({ level: Number(id), xp: value }))
      .sort((left, right) => left.level - right.level),
  ordered: false,
};

type Threshold = { level: number; xp: unknown };

/** A list that is still being typed may hold anything. */
const isThreshold = (value: unknown): value is Threshold =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<Threshold>).level === 'number';

const toLevel = ({ level, xp }: Threshold): Element => ({ id: level, value: xp });

const customData: Collection = {
  read: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([id, element]) => ({ id, value: element }))
      : null,
  write: (elements) => Object.fromEntries(elements.map(({ id, value }) => [id, value])),
  ordered: false,
};

const COLLECTIONS: ReadonlyMap<string, Collection> = new Map([
  ['tags', tags],
  ['xp_thresholds', xpThresholds],
  ['custom_data', customData],
]);

export const isOrdered = (field: string): boolean => COLLECTIONS.get(field)?.ordered === true;

/** Null unless the elements reproduce the value, apart from the order of keys. */
export const readElements = (field: string, value: unknown): Element[] | null => {
  const elements = COLLECTIONS.get(field)?.read(value);
  if (!elements || new Set(elements.map(({ id }) => id)).size !== elements.length) return null;
  return isSameValue(writeElements(field, elements), value) ? elements : null;
};

export const writeElements = (field: string, elements: readonly Element[]): unknown =>
  COLLECTIONS.get(field)?.write(elements);

// The display names of the fields of records: in forms, histories, differences and filters alike.

const NAMES: Readonly<Record<string, string>> = {
  item_type: 'Item type',
  level_xp_table_id: 'Levels by Xp table',
  xp_thresholds: 'Levels',
  custom_data: 'Custom data',
  legacy_item_id: 'Legacy id',
  legacy_xp_id: 'Legacy id',
};

/** "Item type" for `item_type`. A field that has no name of its own is called by its words. */
export const nameField = (field: string): string => {
  const words = field.replaceAll('_', ' ');
  return NAMES[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
};

/** Equality of JSON values: the order of an object's keys says nothing, an absent key is one without a value. */
export const isSameValue = (left: unknown, right: unknown): boolean => {
  if (left === right || Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false;
  if (!Array.isArray(left)) return !Array.isArray(right) && isSameObject(left, right);
  return (
    Array.isArray(right) &&
    left.length === right.length &&
    left.every((element, index) => isSameValue(element, right[index]))
  );
};

const isSameObject = (left: object, right: object): boolean => {
  const keys = presentKeys(left);
  return (
    keys.length === presentKeys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSameValue(at(left, key), at(right, key)))
  );
};

const presentKeys = (value: object): string[] =>
  Object.keys(value).filter((key) => at(value, key) !== undefined);

const at = (value: object, key: string): unknown => (value as Record<string, unknown>)[key];
