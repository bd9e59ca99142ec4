// Items and Xp tables: every edit is one transaction that appends versions, and a single edit is a bulk of one.
import type { RecordWhere } from '@muster/contract';
import type { z } from 'zod';
import { mapPaced } from '../../flow/index.ts';
import type { Actor } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import type { CatalogueWriter } from '../edits/catalogue-writer.ts';
import type { OperationType, RecordOperation, RecordState } from '../edits/edit-rules.ts';
import type { EditWarning } from '../edits/single-write.ts';
import type { RecordFilter } from '../lists/record-list-query.ts';
import type { RecordSort } from '../lists/record-list-sql.ts';
import { decodeRecordCursor, encodeRecordCursor, MATCH_LIMIT } from '../lists/record-list-sql.ts';
import type { SortOrder } from '../pagination.ts';
import { cutPage, hasSnapshot } from '../pagination.ts';
import type { SandboxAuthority } from '../sandboxes/sandbox-rules.ts';
import { NO_AUTHORITY } from '../sandboxes/sandbox-rules.ts';
import type { RecordKind } from './record.ts';
import { foldName, pickGiven, readSnapshot } from './record.ts';
import type { RecordStore } from './record-store.ts';

/** The inputs that a kind's schemas parse, each with the sandbox of its procedure. */
export type InputsOf<Schemas extends Record<keyof Inputs, z.ZodType>> = {
  [Name in keyof Inputs]: z.output<Schemas[Name]> & { sandbox_id: string };
};

type InSandbox = { sandbox_id: string };
type Reasoned = { reason?: string | undefined };
/** The filters of a list. */
export type FilterInput = {
  name?: string | undefined;
  include_deleted?: boolean | undefined;
  only_deleted?: boolean | undefined;
  item_type?: string | undefined;
  tag?: string | undefined;
  custom_key?: string | undefined;
  where?: RecordWhere | undefined;
};
type Inputs = Record<OperationType | 'get', InSandbox> & {
  list: InSandbox &
    FilterInput & {
      cursor?: string | undefined;
      page_size: number;
      sort?: RecordSort | undefined;
      order?: SortOrder | undefined;
    };
  bulk: InSandbox & Reasoned & { operations: (Reasoned & { operation: OperationType })[] };
};

/** The record's fields, and its position in its history. */
type RecordAnswer<R> = R & {
  /** Number of the newest version: the `expected_version` of the next edit. */
  version: number;
  version_id: string;
  /** The transaction of the newest version. */
  transaction_id: string;
  /** RFC 3339, of the first version. */
  created: string;
  /** RFC 3339, of the newest version. */
  updated: string;
  /** Absent unless deleted. */
  deleted?: true;
};

/** The response of an edit. The record is written in spite of a warning. */
type EditedRecord<R> = RecordAnswer<R> & { warnings?: EditWarning[] };

type RecordPage<R> = {
  records: RecordAnswer<R>[];
  /** Without `cursor` on the last page. `total` is on the first page, unless there are very many. */
  page_meta: { cursor?: string; page_size: number; total?: number };
};

type BulkAnswer<R> = {
  /** Absent when no operation changed anything. */
  transaction_id?: string;
  /** One per operation, in order: the record after that operation. */
  records: RecordAnswer<R>[];
};

/** Nothing is written when the signal is aborted before the edit has begun. */
type Edit<Input, Answer> = (
  actor: Actor,
  input: Input,
  authority?: SandboxAuthority,
  signal?: AbortSignal,
) => Promise<Answer>;

/**
 * Errors of edits: sandbox_busy, sandbox_not_found, record_not_found, record_exists, record_deleted,
 * record_version_conflict (with current_version and current_version_id), version_not_found, legacy_id_taken,
 * input_invalid, custom_data_invalid. In a bulk each has operation_index, and nothing of the bulk is written. Deleting in a protected
 * sandbox needs an authority: sandbox_protected, sandbox_confirmation_required. In a sandbox that requires a review:
 * review_required (with change_set_id).
 */
type RecordService<R, I extends Inputs> = {
  create: Edit<I['create'], EditedRecord<R>>;
  update: Edit<I['update'], EditedRecord<R>>;
  delete: Edit<I['delete'], RecordAnswer<R>>;
  restore: Edit<I['restore'], EditedRecord<R>>;
  bulk: Edit<I['bulk'], BulkAnswer<R>>;
  /** Includes deleted records. Errors: sandbox_not_found, record_not_found. */
  get(input: I['get']): Promise<RecordAnswer<R>>;
  /** Sorted as requested, then by name without case and by id; by custom data only by id. Errors: sandbox_not_found, input_invalid (the cursor). */
  list(input: I['list']): Promise<RecordPage<R>>;
};

type Parts = { store: RecordStore; writer: CatalogueWriter; newId: () => string };

export const createRecordService = <R extends object, I extends Inputs>(
  kind: RecordKind,
  { store, writer, newId }: Parts,
): RecordService<R, I> => {
  const edit =
    (procedure: OperationType): Edit<InSandbox, EditedRecord<R>> =>
    async (actor, input, authority = NO_AUTHORITY, signal) => {
      const operation = toOperation(kind, procedure, input, newId);
      const { results, warnings } = await writer.write(kind, {
        actor,
        procedure,
        authority,
        signal,
        operations: [operation],
        sandboxId: input.sandbox_id,
        call: input,
        reason: operation.reason,
      });
      const [state] = results;
      if (!state) throw new Error('A write of one operation had no result.');
      return { ...toAnswer<R>(state), ...(warnings.length > 0 && { warnings }) };
    };

  /** A deleted sandbox keeps its records until it is purged, so existing records do not prove that it exists. */
  const requireSandbox = async (sandboxId: string) => {
    if (!(await store.hasSandbox(sandboxId))) throw new ServiceError('sandbox_not_found');
  };

  return {
    create: edit('create'),
    update: edit('update'),
    delete: edit('delete'),
    restore: edit('restore'),

    async bulk(
      actor,
      { sandbox_id: sandboxId, operations: inputs, reason },
      authority = NO_AUTHORITY,
      signal,
    ) {
      const operations = inputs.map((input) => {
        const operation = toOperation(kind, input.operation, input, newId);
        return { ...operation, reason: operation.reason ?? reason };
      });
      const write = { actor, sandboxId, call: inputs, operations, reason, authority, signal };
      const { versions, results } = await writer.write(kind, { ...write, procedure: 'bulk' });
      const transactionId = versions[0]?.state.transactionId;
      return {
        ...(transactionId !== undefined && { transaction_id: transactionId }),
        records: await mapPaced(results, toAnswer<R>),
      };
    },

    async get(input) {
      const { sandbox_id: sandboxId, [kind.idField]: recordId } = input as Record<string, string>;
      const [state] = await Promise.all([
        store.findRecord(String(sandboxId), kind.kind, String(recordId)),
        requireSandbox(String(sandboxId)),
      ]);
      if (!state) throw new ServiceError('record_not_found');
      return toAnswer(state);
    },

    async list(input) {
      const { sandbox_id: sandboxId, cursor, page_size: pageSize } = input;
      const { sort = 'name', order = 'asc' } = input;
      const place = { sort, order };
      const { where, ...filter } = toRecordFilter(kind, input);
      const after = cursor === undefined ? undefined : decodeRecordCursor(place, cursor);
      const [matched] = await Promise.all([
        where && store.matchRecords({ ...filter, where }),
        requireSandbox(sandboxId),
      ]);
      const found = await store.listRecords({
        ...filter,
        ...place,
        where,
        matched,
        after,
        limit: pageSize + 1,
      });
      const { page, last } = cutPage(found, pageSize, hasSnapshot);
      const end = last && {
        value: last.sortValue,
        name: foldName(last.name),
        id: last.recordId,
      };
      const next = end && encodeRecordCursor(place, end);
      const count = () => {
        if (!last) return page.length;
        if (!matched) return store.countRecords(filter);
        return matched.total <= MATCH_LIMIT ? matched.total : undefined;
      };
      const total = cursor === undefined ? await count() : undefined;
      return {
        records: await mapPaced(page, toAnswer<R>),
        page_meta: {
          page_size: pageSize,
          ...(next !== undefined && { cursor: next }),
          ...(total !== undefined && { total }),
        },
      };
    },
  };
};

type OperationInput = {
  expected_version?: number;
  version_id?: string | undefined;
  reason?: string | undefined;
  [field: string]: unknown;
};

/** Parses the input of a procedure, or one element of a bulk. A create without an id gets a new one. */
export const toOperation = (
  kind: RecordKind,
  type: OperationType,
  input: object,
  newId: () => string,
): RecordOperation => {
  const {
    expected_version: expectedVersion = 0,
    version_id: versionId,
    reason,
    ...rest
  } = input as OperationInput;
  const recordId = (rest[kind.idField] as string | undefined) ?? newId();
  const fields = pickGiven(kind, rest);
  switch (type) {
    case 'create':
      return { type, recordId, reason, fields };
    case 'update':
      return { type, recordId, reason, fields, expectedVersion };
    case 'delete':
      return { type, recordId, reason, expectedVersion };
    case 'restore':
      return { type, recordId, reason, expectedVersion, versionId };
  }
};

export const toRecordFilter = (
  { kind }: RecordKind,
  input: FilterInput & InSandbox,
): RecordFilter => ({
  sandboxId: input.sandbox_id,
  kind,
  name: input.name,
  deleted: listStates(input),
  itemType: input.item_type,
  tag: input.tag,
  customKey: input.custom_key,
  where: input.where,
});

/** The state of `deleted` that a list shows; undefined for both. */
const listStates = ({ include_deleted, only_deleted }: FilterInput) => {
  if (only_deleted) return true;
  return include_deleted ? undefined : false;
};

/** Snapshots are written from validated fields only, so reading one needs no second validation. */
const toAnswer = <R extends object>(state: RecordState): RecordAnswer<R> => ({
  ...(readSnapshot(state.snapshot) as R),
  version: state.version,
  version_id: state.versionId,
  transaction_id: state.transactionId,
  created: state.createdAt.toISOString(),
  updated: state.updatedAt.toISOString(),
  ...(state.deleted && { deleted: true as const }),
});
