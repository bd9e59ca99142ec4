// Items and Xp tables: every edit is one transaction that appends versions, and a single edit is a bulk of one.
import type { z } from 'zod';
import type { Actor } from '../audit/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { CatalogueStore } from './catalogue-store.ts';
import type { CatalogueWriter } from './catalogue-writer.ts';
import { foldName } from './fold-name.ts';
import { decodeListCursor, encodeListCursor } from './list-cursor.ts';
import type { WritePlan } from './plan-write.ts';
import type { SandboxAuthority } from './protected-sandbox.ts';
import { NO_AUTHORITY } from './protected-sandbox.ts';
import type { RecordAnswer } from './record-answer.ts';
import { toAnswer } from './record-answer.ts';
import type { RecordKind } from './record-kind.ts';
import type { OperationType } from './record-operation.ts';
import { toOperation } from './record-operation.ts';
import type { Write } from './write-operations.ts';
import { writeOperations } from './write-operations.ts';

/** The inputs that a kind's schemas read, each with the sandbox that its procedure names. */
export type InputsOf<Schemas extends Record<keyof Inputs, z.ZodType>> = {
  [Name in keyof Inputs]: z.output<Schemas[Name]> & { sandbox_id: string };
};

type InSandbox = { sandbox_id: string };
type Reasoned = { reason?: string | undefined };
type Inputs = Record<OperationType | 'get', InSandbox> & {
  list: InSandbox & {
    name?: string | undefined;
    cursor?: string | undefined;
    page_size: number;
    include_deleted: boolean;
    only_deleted?: boolean | undefined;
  };
  bulk: InSandbox & Reasoned & { operations: (Reasoned & { operation: OperationType })[] };
};

export type RecordPage<R> = {
  records: RecordAnswer<R>[];
  /** Without `cursor` on the last page. `total` comes with the first page, unless there are very many. */
  page_meta: { cursor?: string; page_size: number; total?: number };
};

export type BulkAnswer<R> = {
  /** Absent when no operation changed anything. */
  transaction_id?: string;
  /** One per operation, in order: the record as that operation left it. */
  records: RecordAnswer<R>[];
};

/**
 * Errors of edits: sandbox_not_found, record_not_found, record_exists, record_deleted, record_version_conflict (with
 * current_version and current_version_id), version_not_found, legacy_id_taken, input_invalid. In a bulk each carries
 * operation_index, and nothing of the bulk is written. Deleting in a protected sandbox needs an authority:
 * sandbox_protected, sandbox_confirmation_required.
 */
export type RecordService<R, I extends Inputs> = {
  create(actor: Actor, input: I['create']): Promise<RecordAnswer<R>>;
  update(actor: Actor, input: I['update']): Promise<RecordAnswer<R>>;
  delete(actor: Actor, input: I['delete'], authority?: SandboxAuthority): Promise<RecordAnswer<R>>;
  restore(actor: Actor, input: I['restore']): Promise<RecordAnswer<R>>;
  bulk(actor: Actor, input: I['bulk'], authority?: SandboxAuthority): Promise<BulkAnswer<R>>;
  /** Deleted records too. Errors: sandbox_not_found, record_not_found. */
  get(input: I['get']): Promise<RecordAnswer<R>>;
  /** By name without case, then by id. Errors: sandbox_not_found, input_invalid (the cursor). */
  list(input: I['list']): Promise<RecordPage<R>>;
};

export type RecordServiceParts = {
  store: CatalogueStore;
  write: CatalogueWriter;
  now: () => Date;
  newId: () => string;
};

export const createRecordService = <R extends object, I extends Inputs>(
  kind: RecordKind,
  { store, write, now, newId }: RecordServiceParts,
): RecordService<R, I> => {
  const run = (request: Write): Promise<WritePlan> =>
    write(request.sandboxId, (transaction) =>
      writeOperations(kind, transaction, request, { now, newId }),
    );

  const edit =
    (type: OperationType) =>
    async (
      actor: Actor,
      input: { sandbox_id: string },
      authority: SandboxAuthority = NO_AUTHORITY,
    ): Promise<RecordAnswer<R>> => {
      const operation = toOperation(kind, type, input, newId);
      const { reason } = operation;
      const { sandbox_id: sandboxId } = input;
      const operations = [operation];
      const plan = await run({ actor, sandboxId, procedure: type, operations, reason, authority });
      return toAnswer<R>(first(plan.results));
    };

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
    ) {
      const operations = inputs.map((input) => {
        const operation = toOperation(kind, input.operation, input, newId);
        return { ...operation, reason: operation.reason ?? reason };
      });
      const request = { actor, sandboxId, operations, reason, authority };
      const plan = await run({ ...request, procedure: 'bulk' });
      const transactionId = plan.versions[0]?.state.transactionId;
      return {
        ...(transactionId !== undefined && { transaction_id: transactionId }),
        records: plan.results.map((state) => toAnswer<R>(state)),
      };
    },

    async get(input) {
      const { sandbox_id: sandboxId, [kind.idField]: recordId } = input as Record<string, string>;
      const state = await store.findRecord(String(sandboxId), kind.kind, String(recordId));
      if (state) return toAnswer<R>(state);
      await requireSandbox(String(sandboxId));
      throw new ServiceError('record_not_found');
    },

    async list({ sandbox_id: sandboxId, name, cursor, page_size: pageSize, ...which }) {
      const query = { name, deleted: listStates(which) };
      const found = await store.listRecords(sandboxId, kind.kind, {
        ...query,
        after: cursor === undefined ? undefined : decodeListCursor(cursor),
        limit: pageSize + 1,
      });
      if (found.length === 0) await requireSandbox(sandboxId);
      const page = found.slice(0, pageSize);
      const last = found.length > pageSize ? page.at(-1) : undefined;
      const position = last && { name: foldName(last.name), id: last.recordId };
      const count = () => (last ? store.countRecords(sandboxId, kind.kind, query) : page.length);
      const total = cursor === undefined ? await count() : undefined;
      return {
        records: page.map((state) => toAnswer<R>(state)),
        page_meta: {
          page_size: pageSize,
          ...(position && { cursor: encodeListCursor(position) }),
          ...(total !== undefined && { total }),
        },
      };
    },
  };
};

/** The states of `deleted` that a list shows. */
const listStates = ({
  include_deleted,
  only_deleted,
}: Pick<Inputs['list'], 'include_deleted' | 'only_deleted'>) => {
  if (only_deleted) return [true];
  return include_deleted ? [false, true] : [false];
};

const first = <T>(list: readonly T[]): T => {
  const [element] = list;
  if (element === undefined) throw new Error('A write of one operation had no result.');
  return element;
};
