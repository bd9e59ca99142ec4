// The lists and maps of a record as elements with an identity: tags by value, levels by number, custom_data by key.
import { isSameValue } from './is-same-value.ts';

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

/** Null unless writing the elements again gives the value back, but for the order of keys. */
export const readElements = (field: string, value: unknown): Element[] | null => {
  const elements = COLLECTIONS.get(field)?.read(value);
  if (!elements || new Set(elements.map(({ id }) => id)).size !== elements.length) return null;
  return isSameValue(writeElements(field, elements), value) ? elements : null;
};

export const writeElements = (field: string, elements: readonly Element[]): unknown =>
  COLLECTIONS.get(field)?.write(elements);
