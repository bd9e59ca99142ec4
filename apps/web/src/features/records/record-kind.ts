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
  procedures: ReturnType<typeof proceduresOf>;
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

// The procedures of both kinds with one signature. The service validates every input, so the
// fields need no exact types here.

export type StoredItem = ApiOutputs['items']['get'];
export type StoredXp = ApiOutputs['xp']['get'];
export type StoredRecord = StoredItem | StoredXp;

export type RecordPage = Omit<ApiOutputs['items']['list'], 'records'> & { records: StoredRecord[] };

type Place = { sandbox_id: string; id: string };
type Reasoned = { sandbox_id: string; reason?: string };
type Confirmed = { confirm_sandbox_name?: string };
type Edit = Place & Reasoned & { expected_version: number };
type BulkOperation = { id: string; expected_version: number; operation: 'delete' };

/** Each kind has its own sorts and filters, and its list offers only those. */
export type ListInput = ApiInputs['items']['list'];

type Procedures = typeof api.items;

const proceduresOf = (
  procedures: Procedures,
  idField: RecordKind['idField'],
  /** The key prefix of all queries of the kind, for invalidation. */
  pathKey: () => readonly unknown[],
) => {
  const named = <Input extends { id: string }>({ id, ...input }: Input) =>
    ({ ...input, [idField]: id }) as never;
  return {
    pathKey,
    get: (place: Place, signal?: AbortSignal): Promise<StoredRecord> =>
      procedures.get.query(named(place), { signal }),
    list: (input: ListInput, signal: AbortSignal): Promise<RecordPage> =>
      procedures.list.query(input, { signal }),
    create: ({ fields, ...input }: Reasoned & { fields: RecordFields }): Promise<StoredRecord> =>
      procedures.create.mutate({ ...input, ...fields } as never),
    update: ({ patch, ...edit }: Edit & { patch: RecordFields }): Promise<StoredRecord> =>
      procedures.update.mutate(named({ ...edit, ...patch })),
    delete: (edit: Edit & Confirmed): Promise<StoredRecord> =>
      procedures.delete.mutate(named(edit)),
    restore: (edit: Edit & { version_id?: string }): Promise<StoredRecord> =>
      procedures.restore.mutate(named(edit)),
    bulk: ({
      operations,
      ...input
    }: Reasoned & Confirmed & { operations: readonly BulkOperation[] }) =>
      procedures.bulk.mutate({
        ...input,
        operations: operations.map(named),
      }),
  };
};

export const ITEM: RecordKind = {
  kind: 'item',
  one: 'Item',
  many: 'Items',
  paths: ITEM_PATHS,
  idField: 'item_id',
  idOf: (record) => (record as StoredItem).item_id,
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
  newSchema: z.object(itemInputs),
  procedures: proceduresOf(api.items, 'item_id', trpc.items.pathKey),
};

export const XP: RecordKind = {
  kind: 'xp',
  one: 'Xp table',
  many: 'Xp tables',
  paths: XP_PATHS,
  idField: 'xp_id',
  idOf: (record) => (record as StoredXp).xp_id,
  legacyIdField: 'legacy_xp_id',
  fields: ['name', 'description', 'xp_thresholds', 'custom_data', 'legacy_xp_id'],
  schema: z.object(xpFields),
  newSchema: z.object(xpInputs),
  procedures: proceduresOf(api.xp as unknown as Procedures, 'xp_id', trpc.xp.pathKey),
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
