// Items and Xp tables share one implementation; this is all in which they differ.
import type { Item, Xp } from '@muster/contract';

export type RecordKind = {
  kind: 'item' | 'xp';
  /** Router name in the admin API; audit actions begin with it. */
  plural: 'items' | 'xp';
  idField: 'item_id' | 'xp_id';
  legacyIdField: 'legacy_item_id' | 'legacy_xp_id';
  /** The fields after the id, in the order in which every snapshot spells them. */
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

/**
 * The whole record as JSON text: the id, then the kind's fields in their order, absent ones left out. What is hashed,
 * stored and shown is this text, so the order is part of the format.
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
