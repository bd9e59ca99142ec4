// The differences between Items and Xp tables, which otherwise have one implementation, and values derived from a
// record.

import { isDeepStrictEqual } from 'node:util';
import type { Item, Xp } from '@muster/contract';

export type RecordKind = {
  kind: 'item' | 'xp';
  /** Router name in the admin API; audit actions begin with it. */
  plural: 'items' | 'xp';
  idField: 'item_id' | 'xp_id';
  legacyIdField: 'legacy_item_id' | 'legacy_xp_id';
  /** The fields after the id, in the order of every snapshot. */
  fields: readonly string[];
};

export const ITEM = {
  kind: 'item',
  plural: 'items',
  idField: 'item_id',
  legacyIdField: 'legacy_item_id',
  fields: [
    'legacy_item_id',
    'name',
    'description',
    'item_type',
    'tags',
    'level_xp_table_id',
    'custom_data',
  ] satisfies (keyof Item)[],
} as const satisfies RecordKind;

export const XP = {
  kind: 'xp',
  plural: 'xp',
  idField: 'xp_id',
  legacyIdField: 'legacy_xp_id',
  fields: [
    'legacy_xp_id',
    'name',
    'description',
    'xp_thresholds',
    'custom_data',
  ] satisfies (keyof Xp)[],
} as const satisfies RecordKind;

/** Fields by wire name; the contract's schemas have checked them. */
export type RecordFields = Readonly<Record<string, unknown>>;

/** The fields of the kind that are given, in its order. One that is null is given. */
export const pickGiven = (kind: RecordKind, fields: RecordFields): RecordFields => {
  const given = kind.fields.filter((field) => fields[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, fields[field]]));
};

/**
 * The whole record as JSON text: the id, then the kind's fields in order, without absent ones. This text is hashed,
 * stored and shown, so the order is part of the format.
 */
export const writeSnapshot = (kind: RecordKind, recordId: string, fields: RecordFields): string => {
  const present = kind.fields.filter(
    (field) => fields[field] !== undefined && fields[field] !== null,
  );
  return JSON.stringify({
    [kind.idField]: recordId,
    ...Object.fromEntries(present.map((field) => [field, fields[field]])),
  });
};

export const readSnapshot = (snapshot: string): RecordFields => JSON.parse(snapshot);

/**
 * The encoding of a field in a cell.
 * - `text`: written by people; absent is an empty cell. Escaped if a spreadsheet would run it as a formula.
 * - `plain`: ids and enumerations.
 * - `integer`: decimal digits.
 * - `json`: maps, and lists of maps, as JSON.
 * - `list`: of texts, written as JSON; `a;b` is read as well.
 */
export type ColumnType = 'text' | 'plain' | 'integer' | 'json' | 'list';

const TYPES: Record<string, ColumnType> = {
  name: 'text',
  description: 'text',
  legacy_item_id: 'integer',
  legacy_xp_id: 'integer',
  tags: 'list',
  custom_data: 'json',
  xp_thresholds: 'json',
};

export type Column = { name: string; type: ColumnType };

export const kindOf = (kind: 'item' | 'xp'): RecordKind => (kind === 'item' ? ITEM : XP);

/** The id, then the fields in the order of the snapshot. */
export const recordColumns = (kind: RecordKind): Column[] =>
  [kind.idField, ...kind.fields].map((name) => ({ name, type: TYPES[name] ?? 'plain' }));

/** The columns before the record in an export of versions. */
export const VERSION_COLUMNS: readonly Column[] = [
  { name: 'seq', type: 'integer' },
  { name: 'version_id', type: 'plain' },
  { name: 'transaction_id', type: 'plain' },
  { name: 'operation', type: 'plain' },
  { name: 'version', type: 'integer' },
  { name: 'account_id', type: 'text' },
  { name: 'reason', type: 'text' },
  { name: 'issued_at', type: 'plain' },
  { name: 'changed_fields', type: 'json' },
];

/**
 * The fields whose value differs from the previous version, in the order of snapshots; for the first version all its
 * fields. Without the id, which never changes. The migration of the column computes the same in SQL.
 */
export const listChangedFields = (
  kind: RecordKind,
  before: string | undefined,
  after: string,
): string[] => {
  if (before === after) return [];
  const [left, right] = [before === undefined ? {} : readSnapshot(before), readSnapshot(after)];
  return kind.fields.filter((field) => !isDeepStrictEqual(left[field], right[field]));
};

/**
 * Folds case for "contains" searches. Names and filters use this function, never the database's `lower()`, which
 * depends on its locale. Converting to upper case unifies letters with the same upper case ('ß' and 'ss', 'ı' and 'i'),
 * and starting with lower case includes 'ẞ'. The final sigma becomes the plain one: the result of `toLowerCase` depends
 * on the letters around it, and a filter is only a part of a name. Normalised (NFC) before and after. Source: Unicode,
 * sections 3.13 and 5.18.
 */
export const foldName = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');

/** The LIKE pattern for "contains this folded text", with `%`, `_` and `\` escaped. */
export const toContainsPattern = (folded: string): string =>
  `%${folded.replace(/[\\%_]/g, '\\$&')}%`;
