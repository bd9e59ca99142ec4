// Change sets: drafts of changes, made by people or from an edit that is to be undone.
import type { z } from 'zod';
import type { Actor } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import { addMatchingRecords } from '../bulk-edits/change-set-matching.ts';
import { cutPage } from '../pagination.ts';
import { kindOf } from '../records/record.ts';
import type { ChangeSetInputs, EditInputs } from '../records/record-inputs.ts';
import { toOperation } from '../records/record-service.ts';
import { requireWritable } from '../sandboxes/sandbox-rules.ts';
import { OPEN_STATES, toChangedDraft } from './change-set-review-rules.ts';
import type { ChangeSetState, SetOperation } from './change-set-rules.ts';
import { MAX_OPERATIONS, shortenTitle, undoEdit } from './change-set-rules.ts';
import type { ScheduleAnswer } from './change-set-schedule-rules.ts';
import { describeSchedule, NO_SCHEDULE } from './change-set-schedule-rules.ts';
import type {
  ChangeSetAccess,
  ChangeSetRow,
  ChangeSetStore,
  NewChangeSet,
} from './change-set-store.ts';

export type ChangeSetAnswer = ScheduleAnswer & {
  sandbox_id: string;
  change_set_id: string;
  title: string;
  reason?: string;
  state: ChangeSetState;
  author_id: string;
  /** Increases with every change of the set. */
  revision: number;
  operation_count: number;
  /** RFC 3339. */
  created: string;
  updated: string;
  /** Without `transaction_id` when nothing had to change. */
  applied?: { transaction_id?: string; account_id: string; at: string };
  /** The edit that this set undoes. */
  reverts_transaction_id?: string;
  /** The applied set that undid this one. */
  reverted_by_set_id?: string;
};

type InSandbox = { sandbox_id: string };
type Input<Schemas extends Record<Name, z.ZodType>, Name extends keyof Schemas> = InSandbox &
  z.output<Schemas[Name]>;
type SetInput<Name extends keyof typeof ChangeSetInputs> = Input<typeof ChangeSetInputs, Name>;
type Change<Name extends keyof typeof ChangeSetInputs> = (
  actor: Actor,
  input: SetInput<Name>,
) => Promise<ChangeSetAnswer>;

export type ListPosition = { updatedAt: Date; changeSetId: string };

/**
 * Errors of all: sandbox_not_found, change_set_not_found. Of changes: sandbox_archived, change_set_closed (with state),
 * change_set_revision_conflict (with current_revision).
 */
export type ChangeSetService = {
  /** Errors: change_set_exists. */
  create: Change<'create'>;
  /** The last updated first. */
  list(
    input: SetInput<'list'>,
    after: ListPosition | null,
    pageSize: number,
  ): Promise<{ change_sets: ChangeSetAnswer[]; next: ListPosition | null }>;
  update: Change<'update'>;
  /** Errors: body_too_large, for more operations than a set can have. */
  addOperations: Change<'addOperations'>;
  /** Computes the operations of all records that match. Errors: body_too_large, for more than a set can have. */
  addMatching: Change<'addMatching'>;
  removeOperations: Change<'removeOperations'>;
  /** Deletes the operations, and with `discard` a draft as well, unless it has comments or approvals. */
  cancel: Change<'cancel'>;
  /** Makes a draft that undoes what the set changed. Errors: those of `revertEdit`; change_set_closed. */
  revert: Change<'revert'>;
  /** Makes a draft that undoes an edit. Errors: edit_not_found, body_too_large. */
  revertEdit(actor: Actor, input: Input<typeof EditInputs, 'revert'>): Promise<ChangeSetAnswer>;
};

/** Records of an edit that are read at once: each may have two snapshots of a hundred kilobytes. */
const BATCH = 100;
/** For as many operations as a set can have. */
const LONG_DRAFT = { timeout: 60_000 };

type DraftOptions = {
  transaction?: { timeout: number };
  finish?: (access: ChangeSetAccess) => Promise<void>;
};

type Sources = { now: () => Date; newId: () => string };

/** With other operations, the set does not revert exactly its edit. */
const NO_WHOLE_REVERT = { revertsTransactionId: null };
/** Values that someone adds have to fit, also in a set that only warns of its own ones. */
const WITH_ADDED = { ...NO_WHOLE_REVERT, checksSchemas: true };

export const createChangeSetService = (
  store: ChangeSetStore,
  { now, newId }: Sources,
): ChangeSetService => {
  /**
   * Changes an open set and writes the audit record. `makeChange` returns the members that change. A set in review returns to a draft,
   * and its approvals are withdrawn.
   */
  const changeDraft = (
    actor: Actor,
    input: InSandbox & { change_set_id: string; expected_revision?: number | undefined },
    procedure: string,
    makeChange: (
      access: ChangeSetAccess,
      current: ChangeSetRow,
    ) => Promise<Parameters<ChangeSetAccess['change']>[1]>,
    { transaction, finish }: DraftOptions = {},
  ): Promise<ChangeSetAnswer> => {
    const { change_set_id: changeSetId, expected_revision: expected } = input;
    const work = async (access: ChangeSetAccess, sandbox: { archived: boolean }) => {
      requireWritable(sandbox);
      const current = await access.lock(changeSetId);
      requireState(current, expected, OPEN_STATES);
      const members = {
        ...NO_SCHEDULE,
        ...toChangedDraft(current, actor.accountId),
        ...(await makeChange(access, current)),
      };
      if (current.state !== 'draft') await access.review.withdrawApprovals(changeSetId, now());
      const changed = await access.change(changeSetId, members, now());
      const target = { change_set_id: changeSetId };
      const after = { revision: changed.revision, operation_count: changed.operationCount };
      await access.audit(actor, { action: `changeSets.${procedure}`, target, after }, now());
      await finish?.(access);
      return toChangeSetAnswer(changed);
    };
    return store.inTransaction(input.sandbox_id, work, transaction);
  };

  const create = createSet(now);
  const makeRevert = createRevertMaker({ now, newId });

  const revertEdit = async (
    actor: Actor,
    input: Input<typeof EditInputs, 'revert'>,
    action: string,
    revertedTitle?: string,
  ): Promise<ChangeSetAnswer> => {
    const { sandbox_id: sandboxId, transaction_id: transactionId, title, reason } = input;
    const work = async (access: ChangeSetAccess, sandbox: { archived: boolean }) => {
      requireWritable(sandbox);
      const asked = { transactionId, action, title, reason, revertedTitle };
      return toChangeSetAnswer(await makeRevert(access, actor, asked));
    };
    return store.inTransaction(sandboxId, work, LONG_DRAFT);
  };

  return {
    create: (actor, { sandbox_id, change_set_id: changeSetId = newId(), title, reason = null }) =>
      store.inTransaction(sandbox_id, async (access, sandbox) => {
        requireWritable(sandbox);
        const set = { changeSetId, title, reason, revertsTransactionId: null };
        const created = await create(access, actor, set);
        const target = { change_set_id: changeSetId };
        const entry = { action: 'changeSets.create', target, after: { title } };
        await access.audit(actor, { ...entry, ...(reason && { reason }) }, now());
        return toChangeSetAnswer(created);
      }),

    async list({ sandbox_id: sandboxId, state, needs_attention }, after, pageSize) {
      await store.inTransaction(sandboxId, async () => {});
      const wanted = { sandboxId, state, needsAttention: needs_attention };
      const found = await store.list({ ...wanted, after, limit: pageSize + 1 });
      const { page, last } = cutPage(found, pageSize);
      return { change_sets: page.map(toChangeSetAnswer), next: last ?? null };
    },

    update: (actor, input) =>
      changeDraft(actor, input, 'update', async () => ({
        ...(input.title !== undefined && { title: input.title }),
        ...(input.reason !== undefined && { reason: input.reason }),
      })),

    addOperations: (actor, input) =>
      changeDraft(actor, input, 'addOperations', async (access, { changeSetId }) => {
        const operations = input.operations.map((operation) => readOperation(operation, newId));
        const ofRecords = operations.map(
          (each) => [`${each.kind} ${each.recordId}`, each] as const,
        );
        await access.putOperations(changeSetId, [...new Map(ofRecords).values()]);
        const operationCount = await access.countOperations(changeSetId);
        requireRoom(operationCount);
        return { operationCount, ...WITH_ADDED };
      }),

    removeOperations: (actor, input) =>
      changeDraft(actor, input, 'removeOperations', async (access, { changeSetId }) => {
        const { records = [], not_computable = false } = input;
        const named = records.map(({ kind, record_id: recordId }) => ({ kind, recordId }));
        await access.removeOperations(changeSetId, named);
        if (not_computable) await access.removeProblems(changeSetId);
        const operationCount = await access.countOperations(changeSetId);
        return { operationCount, ...NO_WHOLE_REVERT };
      }),

    addMatching: (actor, input) =>
      changeDraft(
        actor,
        input,
        'addMatching',
        async (access, { changeSetId }) => {
          const place = { sandboxId: input.sandbox_id, changeSetId };
          await addMatchingRecords(access, place, input.matching, requireRoom);
          const operationCount = await access.countOperations(changeSetId);
          requireRoom(operationCount);
          return { operationCount, ...WITH_ADDED };
        },
        { transaction: LONG_DRAFT },
      ),

    cancel: (actor, input) => {
      const { change_set_id: changeSetId, discard = false } = input;
      const clear = async (access: ChangeSetAccess, { state }: ChangeSetRow) => {
        if (discard && state !== 'draft') {
          throw new ServiceError('change_set_closed', { facts: { state } });
        }
        await access.clearOperations(changeSetId);
        return { state: 'cancelled', operationCount: 0 } as const;
      };
      const finish = async (access: ChangeSetAccess) => {
        if (!discard || (await access.review.hasComments(changeSetId))) return;
        await access.remove(changeSetId);
      };
      return changeDraft(actor, input, 'cancel', clear, { finish });
    },

    async revert(actor, { sandbox_id, change_set_id, ...given }) {
      const set = await store.inTransaction(sandbox_id, (access) => access.find(change_set_id));
      const { appliedTransactionId: transaction_id, title, state } = requireFound(set);
      if (transaction_id === null)
        throw new ServiceError('change_set_closed', { facts: { state } });
      return revertEdit(
        actor,
        { sandbox_id, transaction_id, ...given },
        'changeSets.revert',
        title,
      );
    },

    revertEdit: (actor, input) => revertEdit(actor, input, 'edits.revert'),
  };
};

const createSet =
  (now: () => Date) =>
  async (
    access: ChangeSetAccess,
    actor: Actor,
    set: Omit<NewChangeSet, 'authorId' | 'createdAt'>,
  ): Promise<ChangeSetRow> => {
    const created = await access.create({ ...set, authorId: actor.accountId, createdAt: now() });
    if (!created) throw new ServiceError('change_set_exists');
    return created;
  };

type AskedRevert = {
  transactionId: string;
  /** In the audit record. */
  action: string;
  title?: string | undefined;
  reason?: string | undefined;
  /** Of the set that made the edit. */
  revertedTitle?: string | undefined;
};

/** Makes a draft that undoes an edit. Errors: edit_not_found, body_too_large. */
export type CreateRevert = (
  access: ChangeSetAccess,
  actor: Actor,
  asked: AskedRevert,
) => Promise<ChangeSetRow>;

export const createRevertMaker = ({ now, newId }: Sources): CreateRevert => {
  const create = createSet(now);
  return async (access, actor, { transactionId, action, title, reason = null, revertedTitle }) => {
    const edit = await access.findEdit(transactionId);
    if (!edit) throw new ServiceError('edit_not_found');
    const changeSetId = newId();
    let [operationCount, before, name] = [0, edit.lastSeq + 1, revertedTitle];
    await create(access, actor, {
      changeSetId,
      title: title ?? 'Revert',
      reason,
      revertsTransactionId: transactionId,
      // The values were accepted once: what no longer fits is a warning.
      checksSchemas: false,
    });
    for (;;) {
      const records = await access.readEdited(edit, before, BATCH);
      const operations = records.flatMap((record) => undoEdit(kindOf(record.kind), record) ?? []);
      operationCount += operations.length;
      requireRoom(operationCount);
      if (operations.length > 0) await access.putOperations(changeSetId, operations);
      const last = records.at(-1);
      if (last) before = last.seq;
      name ??= last?.name;
      if (records.length < BATCH) break;
    }
    const isOfOne = revertedTitle !== undefined || operationCount === 1;
    const named = isOfOne ? `Revert: ${name}` : `Revert of ${operationCount} changes`;
    const members = { operationCount, title: title ?? shortenTitle(named) };
    const made = await access.change(changeSetId, members, now());
    const target = { change_set_id: changeSetId };
    const after = { operation_count: operationCount, reverts_transaction_id: transactionId };
    await access.audit(actor, { action, target, after, ...(reason && { reason }) }, now());
    return made;
  };
};

export const requireFound = (set: ChangeSetRow | null): ChangeSetRow => {
  if (!set) throw new ServiceError('change_set_not_found');
  return set;
};

/** Errors: change_set_not_found, change_set_closed, change_set_revision_conflict. */
export function requireState(
  set: ChangeSetRow | null,
  expectedRevision: number | undefined,
  states: readonly ChangeSetState[],
): asserts set is ChangeSetRow {
  const found = requireFound(set);
  const { state } = found;
  if (!states.includes(state)) throw new ServiceError('change_set_closed', { facts: { state } });
  if (expectedRevision !== undefined) requireRevision(found, expectedRevision);
}

/** Errors: change_set_revision_conflict. */
export const requireRevision = ({ revision }: ChangeSetRow, expected: number): void => {
  if (expected === revision) return;
  throw new ServiceError('change_set_revision_conflict', { facts: { current_revision: revision } });
};

export const requireRoom = (operationCount: number): void => {
  if (operationCount <= MAX_OPERATIONS) return;
  throw new ServiceError('body_too_large', {
    desc: `A change set has at most ${MAX_OPERATIONS} operations.`,
  });
};

type GivenOperation = SetInput<'addOperations'>['operations'][number];

/** A create without an id gets a new one. */
const readOperation = (given: GivenOperation, newId: () => string): SetOperation => {
  const operation = toOperation(kindOf(given.kind), given.operation, given, newId);
  return {
    kind: given.kind,
    recordId: operation.recordId,
    operation: operation.type,
    baseVersion: 'expectedVersion' in operation ? operation.expectedVersion : null,
    fields: 'fields' in operation ? operation.fields : null,
    versionId: ('versionId' in operation && operation.versionId) || null,
  };
};

export const toChangeSetAnswer = (set: ChangeSetRow): ChangeSetAnswer => ({
  sandbox_id: set.sandboxId,
  change_set_id: set.changeSetId,
  title: set.title,
  ...(set.reason !== null && { reason: set.reason }),
  state: set.state,
  author_id: set.authorId,
  revision: set.revision,
  operation_count: set.operationCount,
  created: set.createdAt.toISOString(),
  updated: set.updatedAt.toISOString(),
  ...(set.appliedAt !== null &&
    set.appliedBy !== null && {
      applied: {
        ...(set.appliedTransactionId !== null && { transaction_id: set.appliedTransactionId }),
        account_id: set.appliedBy,
        at: set.appliedAt.toISOString(),
      },
    }),
  ...(set.revertsTransactionId !== null && { reverts_transaction_id: set.revertsTransactionId }),
  ...(set.revertedBySetId !== null && { reverted_by_set_id: set.revertedBySetId }),
  ...describeSchedule(set),
});
