// Items and Xp tables are shown, edited and compared by the same pages; this is all in which they differ.
import { ItemType, itemFields, xpFields } from '@muster/contract';
import { z } from 'zod';
import type { ApiInputs, ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';

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

export const readId = (kind: RecordKind, record: StoredRecord): string =>
  String((record as RecordFields)[kind.idField]);

/** What can be edited of a record, or of a snapshot in its history. */
export const readFields = (kind: RecordKind, record: object): RecordFields => {
  const all = record as RecordFields;
  const present = kind.fields.filter((field) => all[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, all[field]]));
};

// The procedures of both kinds under one signature. The service checks every input against its schema, so that the
// fields need no types of their own here.

export type StoredItem = ApiOutputs['items']['get'];
export type StoredXp = ApiOutputs['xp']['get'];
export type StoredRecord = StoredItem | StoredXp;

export type RecordPage = {
  records: StoredRecord[];
  page_meta: { page_size: number; cursor?: string; total?: number };
};

type Place = { sandbox_id: string; id: string };
type Reasoned = { reason?: string };
type Edit = Place & Reasoned & { expected_version: number };
type BulkOperation = { id: string; expected_version: number } & (
  | { operation: 'delete' | 'restore' }
  | { operation: 'update'; patch: RecordFields }
);

type RecordProcedures = {
  /** Names every query of the kind, for invalidating. */
  pathKey: () => readonly unknown[];
  get(place: Place, signal?: AbortSignal): Promise<StoredRecord>;
  list(input: ListInput, signal: AbortSignal): Promise<RecordPage>;
  create(input: Reasoned & { sandbox_id: string; fields: RecordFields }): Promise<StoredRecord>;
  update(input: Edit & { patch: RecordFields }): Promise<StoredRecord>;
  delete(input: Edit & { confirm_sandbox_name?: string }): Promise<StoredRecord>;
  restore(input: Edit & { version_id?: string }): Promise<StoredRecord>;
  bulk(
    input: Reasoned & {
      sandbox_id: string;
      operations: readonly BulkOperation[];
      confirm_sandbox_name?: string;
    },
  ): Promise<{ records: StoredRecord[] }>;
};

/** Each kind has sorts and filters of its own; the list offers those of its kind only. */
export type ListInput = ApiInputs['items']['list'];

type Inputs = ApiInputs['items'];

const ITEM_PROCEDURES: RecordProcedures = {
  pathKey: trpc.items.pathKey,
  get: ({ sandbox_id, id }, signal) => api.items.get.query({ sandbox_id, item_id: id }, { signal }),
  list: (input, signal) => api.items.list.query(input, { signal }),
  create: ({ fields, ...input }) =>
    api.items.create.mutate({ ...input, ...fields } as Inputs['create']),
  update: ({ id, patch, ...edit }) => api.items.update.mutate({ ...edit, ...patch, item_id: id }),
  delete: ({ id, ...edit }) => api.items.delete.mutate({ ...edit, item_id: id }),
  restore: ({ id, ...edit }) => api.items.restore.mutate({ ...edit, item_id: id }),
  bulk: ({ operations, ...input }) =>
    api.items.bulk.mutate({
      ...input,
      operations: operations.map(({ id, ...edit }) => ({ ...spread(edit), item_id: id })),
    }),
};

const XP_PROCEDURES: RecordProcedures = {
  pathKey: trpc.xp.pathKey,
  get: ({ sandbox_id, id }, signal) => api.xp.get.query({ sandbox_id, xp_id: id }, { signal }),
  list: (input, signal) => api.xp.list.query(input as ApiInputs['xp']['list'], { signal }),
  create: ({ fields, ...input }) =>
    api.xp.create.mutate({ ...input, ...fields } as ApiInputs['xp']['create']),
  update: ({ id, patch, ...edit }) => api.xp.update.mutate({ ...edit, ...patch, xp_id: id }),
  delete: ({ id, ...edit }) => api.xp.delete.mutate({ ...edit, xp_id: id }),
  restore: ({ id, ...edit }) => api.xp.restore.mutate({ ...edit, xp_id: id }),
  bulk: ({ operations, ...input }) =>
    api.xp.bulk.mutate({
      ...input,
      operations: operations.map(({ id, ...edit }) => ({ ...spread(edit), xp_id: id })),
    }),
};

const spread = (edit: Omit<BulkOperation, 'id'> & { patch?: RecordFields }) => {
  const { patch, operation, expected_version } = edit;
  return { ...patch, operation, expected_version };
};

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

const LABELS: Record<ItemType, string> = {
  unit: 'Unit',
  recipe: 'Recipe',
  recipe_with_price_reduction: 'Recipe with price reduction',
  entitlement: 'Entitlement',
};

export const nameItemType = (type: ItemType): string => LABELS[type];

export const ITEM_TYPES = ItemType.options.map((value) => ({ value, label: LABELS[value] }));
