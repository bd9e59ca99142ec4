// Items and Xp tables are shown, edited and compared by the same pages; this is all in which they differ.
import { itemFields, xpFields } from '@muster/contract';
import { z } from 'zod';
import type { RecordProcedures, StoredRecord } from './record-procedures.ts';
import { ITEM_PROCEDURES, XP_PROCEDURES } from './record-procedures.ts';

/** The editable fields, as they are sent; while they are typed, anything may be in them. */
export type RecordFields = Readonly<Record<string, unknown>>;

export type RecordKind = {
  kind: 'item' | 'xp';
  /** "Item", in the middle of a sentence as well. */
  one: string;
  many: string;
  paths: typeof ITEM_PATHS | typeof XP_PATHS;
  idField: 'item_id' | 'xp_id';
  legacyIdField: 'legacy_item_id' | 'legacy_xp_id';
  /** The editable fields, in the order in which people read them. */
  fields: readonly string[];
  schema: z.ZodType<RecordFields>;
  procedures: RecordProcedures;
};

const ITEM_PATHS = {
  list: '/s/$sandbox/items',
  create: '/s/$sandbox/items/new',
  record: '/s/$sandbox/items/$id',
  compare: '/s/$sandbox/items/$id/compare',
} as const;

const XP_PATHS = {
  list: '/s/$sandbox/xp',
  create: '/s/$sandbox/xp/new',
  record: '/s/$sandbox/xp/$id',
  compare: '/s/$sandbox/xp/$id/compare',
} as const;

export const ITEM: RecordKind = {
  kind: 'item',
  one: 'Item',
  many: 'Items',
  paths: ITEM_PATHS,
  idField: 'item_id',
  legacyIdField: 'legacy_item_id',
  fields: [
    'name',
    'item_type',
    'description',
    'tags',
    'level_xp_table_id',
    'custom_data',
    'legacy_item_id',
  ],
  schema: z.object(itemFields),
  procedures: ITEM_PROCEDURES,
};

export const XP: RecordKind = {
  kind: 'xp',
  one: 'Xp table',
  many: 'Xp tables',
  paths: XP_PATHS,
  idField: 'xp_id',
  legacyIdField: 'legacy_xp_id',
  fields: ['name', 'description', 'xp_thresholds', 'custom_data', 'legacy_xp_id'],
  schema: z.object(xpFields),
  procedures: XP_PROCEDURES,
};

export const readId = (kind: RecordKind, record: StoredRecord): string =>
  String((record as RecordFields)[kind.idField]);

/** What can be edited of a record, or of a snapshot in its history. */
export const readFields = (kind: RecordKind, record: object): RecordFields => {
  const all = record as RecordFields;
  const present = kind.fields.filter((field) => all[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, all[field]]));
};
