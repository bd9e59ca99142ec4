// The procedures of both kinds under one signature. The service checks every input against its schema, so that the
// fields need no types of their own here.
import type { ApiInputs, ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import type { RecordFields } from './record-kind.ts';

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
export type BulkOperation = { id: string; expected_version: number } & (
  | { operation: 'delete' | 'restore' }
  | { operation: 'update'; patch: RecordFields }
);

export type RecordProcedures = {
  /** Names every query of the kind, for invalidating. */
  pathKey: () => readonly unknown[];
  get(place: Place, signal?: AbortSignal): Promise<StoredRecord>;
  list(input: ApiInputs['items']['list'], signal: AbortSignal): Promise<RecordPage>;
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

type Inputs = ApiInputs['items'];

export const ITEM_PROCEDURES: RecordProcedures = {
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

export const XP_PROCEDURES: RecordProcedures = {
  pathKey: trpc.xp.pathKey,
  get: ({ sandbox_id, id }, signal) => api.xp.get.query({ sandbox_id, xp_id: id }, { signal }),
  list: (input, signal) => api.xp.list.query(input, { signal }),
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
