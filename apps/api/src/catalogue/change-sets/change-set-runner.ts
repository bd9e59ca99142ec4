// Previews a change set and applies it: one transaction, or nothing.
import type { FieldChange, FieldConflict } from '@muster/record-diff';
import { diffRecords } from '@muster/record-diff';
import type { Semaphore } from '../../flow/index.ts';
import { createPacer } from '../../flow/index.ts';
import type { Actor } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import type {
  CatalogueReads,
  CatalogueStore,
  CatalogueTransaction,
} from '../edits/catalogue-store.ts';
import type { CatalogueWriter, OpenContext, PartsAnswer } from '../edits/catalogue-writer.ts';
import type { OperationType } from '../edits/edit-rules.ts';
import { PAGE_BYTES } from '../pagination.ts';
import { ITEM, XP } from '../records/record.ts';
import type { SandboxAuthority } from '../sandboxes/sandbox-rules.ts';
import { requireAuthority } from '../sandboxes/sandbox-rules.ts';
import type { PlannedOperation } from './change-set-plan.ts';
import { createSetPlanner } from './change-set-plan.ts';
import { checkReview } from './change-set-review.ts';
import { NO_SCHEDULE } from './change-set-schedule-rules.ts';
import type { ChangeSetAnswer } from './change-set-service.ts';
import { requireFound, requireRevision, toChangeSetAnswer } from './change-set-service.ts';
import type { ChangeSetRow, ChangeSetStore } from './change-set-store.ts';
import { findWarnings } from './change-set-warnings.ts';

type SetReference = { sandbox_id: string; change_set_id: string };

type ApplyInput = SetReference & {
  expected_revision: number;
  /** Why an owner applies the set without the approvals that the sandbox requires. */
  bypass_reason?: string | undefined;
};

type PreviewInput = SetReference & {
  only_problems?: boolean | undefined;
  only_warnings?: boolean | undefined;
};

type PreviewedOperation = {
  kind: 'item' | 'xp';
  record_id: string;
  name: string;
  operation: OperationType;
  /** Empty when nothing has to change, and for a problem. */
  changes: FieldChange[];
  /** Why the set cannot be applied. */
  problem?: {
    error_code: string;
    desc: string;
    conflicts?: FieldConflict[];
    /** The change could not be computed for the record. */
    not_computable?: true;
  };
  /** The set can be applied nevertheless. */
  warnings?: string[];
};

export type Preview = {
  operations: PreviewedOperation[];
  /** Of all operations; only on the first page, since it plans all of them. `warnings` are operations that have any. */
  counts?: { changes: number; unchanged: number; problems: number; warnings: number };
  head_seq: number;
  /** The position of the last operation; null on the last page. */
  next: number | null;
};

type ApplyAnswer = {
  change_set: ChangeSetAnswer;
  /** Absent when nothing had to change. */
  transaction_id?: string;
  head_seq: number;
};

export type ChangeSetRunner = {
  /** For the records as they are now. Errors: sandbox_not_found, change_set_not_found. */
  preview(
    actor: Actor,
    input: PreviewInput,
    after: number | null,
    pageSize: number,
    signal?: AbortSignal,
  ): Promise<Preview>;
  /**
   * Repeating it returns the same answer. Errors: sandbox_not_found, sandbox_archived, sandbox_busy,
   * change_set_not_found, change_set_closed, change_set_revision_conflict, sandbox_protected,
   * sandbox_confirmation_required; review_required (with required_approvals, approvals), and insufficient_permissions for a
   * bypass of the review by anyone but an owner; change_set_conflict (with the number of problems, and the first one).
   */
  apply(
    actor: Actor,
    input: ApplyInput,
    authority: SandboxAuthority,
    signal?: AbortSignal,
  ): Promise<ApplyAnswer>;
};

/** Operations that are planned together: each may need three snapshots of a hundred kilobytes. */
const BATCH = 100;
const PREVIEW_TIMEOUT_MS = 120_000;

type Parts = {
  store: CatalogueStore;
  sets: ChangeSetStore;
  writer: CatalogueWriter;
  writeSet: SetWriter;
  longReads: Semaphore;
};

type SetWrite = {
  actor: Actor;
  sandboxId: string;
  /** The number of operations, for the timeout. */
  count: number;
  /** Locks the set and decides whether it may be applied. Null: nothing is written. */
  prepare(transaction: CatalogueTransaction): Promise<PreparedSet | null>;
  /** The scheduled return: the other set is reverted, even if no record has to change. */
  isReturn?: boolean;
  signal?: AbortSignal | undefined;
};

type PreparedSet = {
  set: ChangeSetRow;
  /** Why an owner applies it without its approvals. */
  bypassReason?: string | undefined;
};

/** Applies a set: one transaction, or nothing. Errors: those of `prepare` and of `CatalogueWriter.writeInParts`; change_set_conflict. */
export type SetWriter = (write: SetWrite) => Promise<PartsAnswer>;

export const createSetWriter =
  (writer: CatalogueWriter, { now, newId }: { now: () => Date; newId: () => string }): SetWriter =>
  ({ prepare, isReturn = false, ...write }) => {
    let prepared: PreparedSet | null = null;
    return writer.writeInParts({
      ...write,
      async *plan(transaction, open) {
        prepared = await prepare(transaction);
        if (prepared) yield* planWhole(transaction, open, prepared.set);
      },
      async finish({ changeSets }, written) {
        if (!prepared) return undefined;
        const { set, bypassReason } = prepared;
        const { changeSetId } = set;
        const returnAt = written ? set.returnAt : null;
        const at = now();
        const applied = await changeSets.change(
          changeSetId,
          {
            ...(set.state === 'scheduled' ? { nextStepAt: returnAt } : NO_SCHEDULE),
            state: 'applied',
            appliedTransactionId: written?.transactionId ?? null,
            appliedAt: at,
            appliedBy: write.actor.accountId,
          },
          at,
        );
        if (written || isReturn) await changeSets.markReverted(applied, at);
        if (bypassReason !== undefined) {
          await changeSets.review.addComment({
            changeSetId,
            commentId: newId(),
            kind: 'bypass',
            accountId: write.actor.accountId,
            text: bypassReason,
            createdAt: at,
          });
        }
        await changeSets.announce(write.actor, applied, at);
        const transaction_id = written?.transactionId;
        return {
          action: 'changeSets.apply',
          target: { change_set_id: changeSetId },
          after: {
            records: written?.recordIds.length ?? 0,
            ...(transaction_id !== undefined && { transaction_id }),
            ...(bypassReason !== undefined && { bypass_reason: bypassReason }),
          },
          ...(applied.reason !== null && { reason: applied.reason }),
        };
      },
    });
  };

export const createChangeSetRunner = (parts: Parts): ChangeSetRunner => {
  const { store, sets, writer, writeSet, longReads } = parts;

  const findSet = ({ sandbox_id, change_set_id }: SetReference) =>
    sets.inTransaction(sandbox_id, async (access) => {
      const set = requireFound(await access.find(change_set_id));
      const { appliedTransactionId: id } = set;
      return { set, edit: id === null ? null : await access.findEdit(id) };
    });

  return {
    preview: (
      actor,
      { sandbox_id, change_set_id, only_problems = false, only_warnings = false },
      after,
      pageSize,
      signal,
    ) =>
      longReads(async () => {
        const work = async (reads: CatalogueReads) => {
          const set = requireFound(await reads.changeSets.find(change_set_id));
          const open: OpenContext = (kind) => writer.openContext(kind, reads, actor);
          const wanted = {
            after,
            pageSize,
            onlyProblems: only_problems,
            onlyWarnings: only_warnings,
          };
          return previewPage(reads, open, set, wanted, signal);
        };
        const read = await store.read(sandbox_id, work, PREVIEW_TIMEOUT_MS);
        if (!read) throw new ServiceError('sandbox_not_found');
        return read.result;
      }, signal),

    async apply(actor, input, authority, signal) {
      const { sandbox_id: sandboxId, change_set_id: changeSetId } = input;
      const found = await findSet(input);
      if (found.set.state === 'applied' && found.edit) return toAnswer(found, found.edit.lastSeq);
      const { headSeq } = await writeSet({
        actor,
        sandboxId,
        signal,
        count: found.set.operationCount,
        async prepare({ changeSets, sandbox }) {
          const current = requireFound(await changeSets.lock(changeSetId));
          // Repeated.
          if (current.state === 'applied') return null;
          const { requiredApprovals } = sandbox;
          const { bypass_reason: bypassReason } = input;
          const application = { actor, bypassReason, requiredApprovals };
          const isBypassed = await checkReview(changeSets, current, application);
          requireRevision(current, input.expected_revision);
          if (await changeSets.needsAuthority(current)) requireAuthority(sandbox, authority);
          return { set: current, ...(isBypassed && { bypassReason }) };
        },
      });
      const applied = await findSet(input);
      return toAnswer(applied, applied.edit?.lastSeq ?? headSeq);
    },
  };
};

const toAnswer = ({ set }: { set: ChangeSetRow }, headSeq: number): ApplyAnswer => ({
  change_set: toChangeSetAnswer(set),
  ...(set.appliedTransactionId !== null && { transaction_id: set.appliedTransactionId }),
  head_seq: headSeq,
});

/** Plans all operations, also after a problem: the error has their number. */
async function* planWhole(reads: CatalogueReads, open: OpenContext, set: ChangeSetRow) {
  const { changeSetId } = set;
  const plan = createSetPlanner(reads, set);
  let [problems, first]: [number, PlannedOperation | undefined] = [0, undefined];
  for (let after: number | undefined = -1; after !== undefined; ) {
    const operations = await reads.changeSets.readOperations(changeSetId, after, BATCH);
    const planned = await plan(open, operations);
    const refused = planned.filter(({ problem }) => problem);
    problems += refused.length;
    first ??= refused[0];
    const versions = planned.flatMap((each) => each.versions);
    if (problems === 0) yield { versions, operations: operations.length };
    after = operations.length < BATCH ? undefined : operations.at(-1)?.position;
  }
  if (first) throw describeConflict(first, problems);
}

const describeConflict = (
  { name, operation, problem }: PlannedOperation,
  problems: number,
): ServiceError => {
  const others = problems > 1 ? ` Operations with problems: ${problems}.` : '';
  return new ServiceError('change_set_conflict', {
    desc: `${name}: ${problem?.error.message} Nothing was changed.${others}`,
    facts: {
      problems,
      kind: operation.kind,
      record_id: operation.recordId,
      problem_code: problem?.error.code ?? '',
    },
    cause: problem?.error,
  });
};

type WantedPage = {
  after: number | null;
  pageSize: number;
  onlyProblems: boolean;
  onlyWarnings: boolean;
};

const previewPage = async (
  reads: CatalogueReads,
  open: OpenContext,
  set: ChangeSetRow,
  { after, pageSize, onlyProblems, onlyWarnings }: WantedPage,
  signal: AbortSignal | undefined,
): Promise<Preview> => {
  const { changeSetId } = set;
  const plan = createSetPlanner(reads, set);
  const pacer = createPacer();
  const counts = { changes: 0, unchanged: 0, problems: 0, warnings: 0 };
  const shown: PreviewedOperation[] = [];
  let [bytes, hasMore] = [0, false];
  let last: number | null = null;
  for (let from: number | undefined = after ?? -1; from !== undefined; ) {
    signal?.throwIfAborted();
    const operations = await reads.changeSets.readOperations(changeSetId, from, BATCH);
    const all = await plan(open, operations);
    const found = await findWarnings(reads, changeSetId, all);
    for (const [index, planned] of all.entries()) {
      const warnings = [...planned.warnings, ...(found[index] ?? [])];
      counts[outcomeOf(planned)] += 1;
      if (warnings.length > 0) counts.warnings += 1;
      if (onlyProblems && !planned.problem) continue;
      if (onlyWarnings && warnings.length === 0) continue;
      hasMore ||= shown.length === pageSize || bytes > PAGE_BYTES;
      if (hasMore) continue;
      if (pacer.isDue()) await pacer.rest();
      const one = show(planned, warnings);
      bytes += Buffer.byteLength(JSON.stringify(one));
      shown.push(one);
      last = planned.operation.position;
    }
    const isLast = operations.length < BATCH || (after !== null && hasMore);
    from = isLast ? undefined : operations.at(-1)?.position;
  }
  return {
    operations: shown,
    ...(after === null && { counts }),
    head_seq: reads.head.seq,
    next: hasMore ? last : null,
  };
};

const outcomeOf = ({ problem, versions }: PlannedOperation) => {
  if (problem) return 'problems';
  return versions.length > 0 ? 'changes' : 'unchanged';
};

const ID_FIELDS: readonly unknown[] = [ITEM.idField, XP.idField];

const show = (
  { operation, name, before, after, problem }: PlannedOperation,
  warnings: string[],
): PreviewedOperation => {
  const conflicts = problem?.conflicts ?? [];
  const changes = before === after ? [] : diffRecords(parse(before), parse(after));
  return {
    kind: operation.kind,
    record_id: operation.recordId,
    name,
    operation: operation.operation,
    changes: changes.filter(({ path: [field] }) => !ID_FIELDS.includes(field)),
    ...(problem && {
      problem: {
        error_code: problem.error.code,
        desc: problem.error.message,
        ...(conflicts.length > 0 && { conflicts }),
        ...(typeof operation.problem === 'string' && { not_computable: true }),
      },
    }),
    ...(warnings.length > 0 && { warnings }),
  };
};

const parse = (snapshot: string | null): object | null =>
  snapshot === null ? null : JSON.parse(snapshot);
