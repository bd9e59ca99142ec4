// Items and Xp tables share their pages. This file has all the differences between them.
import { ItemType, itemFields, itemInputs, xpFields, xpInputs } from '@muster/contract';
import { z } from 'zod';
import type { ApiInputs, ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';

/** The editable fields of a request. In a form they may have any value. */
export type RecordFields = Readonly<Record<string, unknown>>;

export type RecordKind = {
  kind: 'item' | 'xp';
  /** "Item", capitalised also within a sentence. */
  one: string;
  many: string;
  paths: typeof ITEM_PATHS | typeof XP_PATHS;
  idField: 'item_id' | 'xp_id';
  idOf: (record: StoredRecord) => string;
  legacyIdField: 'legacy_item_id' | 'legacy_xp_id';
  /** The editable fields in display order. */
  fields: readonly string[];
  schema: z.ZodType<RecordFields>;
  /** The same for a record with a new name. A stored name may be older than the rules for new ones. */
  newSchema: z.ZodType<RecordFields>;
  /** The columns that the service can sort by. */
  sorts: readonly Sort[];
  procedures: Procedures;
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

/** The editable fields of a record, or of a snapshot in its history. */
export const readFields = (kind: RecordKind, record: object): RecordFields => {
  const all = record as RecordFields;
  const present = kind.fields.filter((field) => all[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, all[field]]));
};

export type StoredItem = ApiOutputs['items']['get'];
export type StoredXp = ApiOutputs['xp']['get'];
export type StoredRecord = StoredItem | StoredXp;

export type RecordPage = Omit<ApiOutputs['items']['list'], 'records'> & { records: StoredRecord[] };

type Place = { sandbox_id: string; id: string };
type Reasoned = { sandbox_id: string; reason?: string };
type Confirmed = { confirm_sandbox_name?: string };
type Edit = Place & Reasoned & { expected_version: number };
type BulkOperation = { id: string; expected_version: number; operation: 'delete' };

const ITEM_SORTS = ['name', 'item_type', 'version', 'updated'] as const;
/** `levels` is the number of thresholds, `top` the Xp of the last one. */
const XP_SORTS = ['name', 'levels', 'top', 'version', 'updated'] as const;
type Sort = (typeof ITEM_SORTS | typeof XP_SORTS)[number];

/** Each kind has its own sorts and filters, and its list offers only those. */
type ListInput = Omit<ApiInputs['items']['list'], 'sort' | 'order'> & ListSort;

export type ListSort = {
  sort?: Sort | `custom_data.${string}`;
  order?: 'asc' | 'desc';
};

/** The procedures of both kinds with one signature. The service validates the fields of an update. */
type Procedures = {
  /** The key prefix of all queries of the kind, for invalidation. */
  pathKey: () => readonly unknown[];
  get: (place: Place, signal?: AbortSignal) => Promise<StoredRecord>;
  list: (input: ListInput, signal: AbortSignal) => Promise<RecordPage>;
  create: (input: Reasoned & { fields: RecordFields }) => Promise<StoredRecord>;
  update: (edit: Edit & { patch: RecordFields }) => Promise<StoredRecord>;
  delete: (edit: Edit & Confirmed) => Promise<StoredRecord>;
  restore: (edit: Edit & { version_id?: string }) => Promise<StoredRecord>;
  bulk: (
    input: Reasoned & Confirmed & { operations: readonly BulkOperation[] },
  ) => Promise<ApiOutputs['items']['bulk'] | ApiOutputs['xp']['bulk']>;
};

const asItem = <Input extends { id: string }>({ id, ...input }: Input) => ({
  ...input,
  item_id: id,
});

const itemSchema = z.object(itemInputs);

const itemProcedures: Procedures = {
  pathKey: trpc.items.pathKey,
  get: (place, signal) => api.items.get.query(asItem(place), { signal }),
  list: (input, signal) => api.items.list.query(input as ApiInputs['items']['list'], { signal }),
  create: ({ fields, ...input }) =>
    api.items.create.mutate({ ...input, ...itemSchema.parse(fields) }),
  update: ({ patch, ...edit }) => api.items.update.mutate({ ...patch, ...asItem(edit) }),
  delete: (edit) => api.items.delete.mutate(asItem(edit)),
  restore: (edit) => api.items.restore.mutate(asItem(edit)),
  bulk: ({ operations, ...input }) =>
    api.items.bulk.mutate({ ...input, operations: operations.map(asItem) }),
};

const asXp = <Input extends { id: string }>({ id, ...input }: Input) => ({ ...input, xp_id: id });

const xpSchema = z.object(xpInputs);

const xpProcedures: Procedures = {
  pathKey: trpc.xp.pathKey,
  get: (place, signal) => api.xp.get.query(asXp(place), { signal }),
  list: (input, signal) => api.xp.list.query(input as ApiInputs['xp']['list'], { signal }),
  create: ({ fields, ...input }) => api.xp.create.mutate({ ...input, ...xpSchema.parse(fields) }),
  update: ({ patch, ...edit }) => api.xp.update.mutate({ ...patch, ...asXp(edit) }),
  delete: (edit) => api.xp.delete.mutate(asXp(edit)),
  restore: (edit) => api.xp.restore.mutate(asXp(edit)),
  bulk: ({ operations, ...input }) =>
    api.xp.bulk.mutate({ ...input, operations: operations.map(asXp) }),
};

const idOf = (record: StoredRecord) => ('item_id' in record ? record.item_id : record.xp_id);

export const ITEM: RecordKind = {
  kind: 'item',
  one: 'Item',
  many: 'Items',
  paths: ITEM_PATHS,
  idField: 'item_id',
  idOf,
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
  newSchema: itemSchema,
  sorts: ITEM_SORTS,
  procedures: itemProcedures,
};

export const XP: RecordKind = {
  kind: 'xp',
  one: 'Xp table',
  many: 'Xp tables',
  paths: XP_PATHS,
  idField: 'xp_id',
  idOf,
  legacyIdField: 'legacy_xp_id',
  fields: ['name', 'description', 'xp_thresholds', 'custom_data', 'legacy_xp_id'],
  schema: z.object(xpFields),
  newSchema: xpSchema,
  sorts: XP_SORTS,
  procedures: xpProcedures,
};

export const RECORD_KINDS: Record<RecordKind['kind'], RecordKind> = { item: ITEM, xp: XP };

export const KIND_CHOICES = [ITEM, XP].map(({ kind, many }) => ({ value: kind, label: many }));

const LABELS: Record<ItemType, string> = {
  unit: 'Unit',
  recipe: 'Recipe',
  recipe_with_price_reduction: 'Recipe with price reduction',
  entitlement: 'Entitlement',
};

export const nameItemType = (type: ItemType): string => LABELS[type];

export const ITEM_TYPES = ItemType.options.map((value) => ({ value, label: LABELS[value] }));
