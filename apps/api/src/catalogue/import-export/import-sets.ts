// Makes a change set of the plan of an import: a draft, one that waits for its review, or one that is applied at once.
import type { Actor } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import { createHold, describeWrite } from '../change-sets/change-set-hold.ts';
import type { SetWriter } from '../change-sets/change-set-runner.ts';
import type {
  ChangeSetAccess,
  ChangeSetRow,
  ChangeSetStore,
} from '../change-sets/change-set-store.ts';
import { lockSandbox } from '../sandboxes/sandbox-lock-store.ts';
import type { SandboxAuthority } from '../sandboxes/sandbox-rules.ts';
import { requireAuthority, requireWritable } from '../sandboxes/sandbox-rules.ts';
import type { MappedColumns } from './file-columns.ts';
import type { ImportPlan } from './import-rules.ts';

type PlannedImport = {
  sandboxId: string;
  kind: 'item' | 'xp';
  /** At least one. */
  operations: ImportPlan['operations'];
  /** The head that the plan is for. */
  headSeq: number;
  title: string | undefined;
  reason: string | undefined;
  /** Saved for the next import of this kind. */
  columns: MappedColumns | undefined;
};

export type ImportCaller = {
  actor: Actor;
  /** When it is aborted, nothing is written, unless the transaction is committing at that time; its reason is thrown. */
  signal: AbortSignal;
};

export type ImportSets = {
  /** Returns the id of the draft. Errors: sandbox_not_found, sandbox_archived. */
  draft(planned: PlannedImport, caller: ImportCaller): Promise<string>;
  /**
   * One transaction. Errors: import_outdated, when the plan no longer holds; sandbox_not_found, sandbox_archived,
   * sandbox_busy, sandbox_protected, sandbox_confirmation_required; review_required (with change_set_id).
   */
  apply(
    planned: PlannedImport,
    caller: ImportCaller & { authority: SandboxAuthority },
  ): Promise<{ changeSetId: string; headSeq: number; transactionId?: string }>;
};

const DRAFT = { timeout: 60_000 };

type Parts = {
  sets: Pick<ChangeSetStore, 'inTransaction'>;
  writeSet: SetWriter;
  now: () => Date;
  newId: () => string;
};

export const createImportSets = ({ sets, writeSet, now, newId }: Parts): ImportSets => {
  const store = async (
    access: ChangeSetAccess,
    planned: PlannedImport,
    { actor, signal }: ImportCaller,
  ): Promise<ChangeSetRow> => {
    const { operations, title, reason = null, headSeq } = planned;
    const [changeSetId, operationCount] = [newId(), operations.count()];
    await access.create({
      changeSetId,
      title: title ?? describeWrite('Import', operations.first(), operationCount),
      reason,
      authorId: actor.accountId,
      createdAt: now(),
      revertsTransactionId: null,
      isGuarded: operations.changesValues(),
    });
    for (const batch of operations.batches()) {
      signal.throwIfAborted();
      await access.putOperations(changeSetId, batch);
    }
    const entry = {
      action: 'changeSets.import',
      target: { change_set_id: changeSetId },
      after: { operation_count: operationCount, head_seq: headSeq },
      ...(reason !== null && { reason }),
    };
    await access.audit(actor, entry, now());
    return access.change(changeSetId, { operationCount }, now());
  };

  /** Undefined when the sandbox requires no review. */
  const hold = (
    planned: PlannedImport,
    { actor, signal, authority }: ImportCaller & { authority: SandboxAuthority },
  ): Promise<ServiceError | undefined> => {
    const { sandboxId, kind, operations, title, reason, columns } = planned;
    const work: Parameters<typeof sets.inTransaction<ServiceError | undefined>>[1] = async (
      access,
      sandbox,
      transaction,
    ) => {
      if (sandbox.requiredApprovals === 0) return undefined;
      requireWritable(sandbox);
      // Of two equal calls, the second one finds the change set of the first.
      await lockSandbox(transaction, sandboxId);
      const isGuarded = operations.changesValues();
      if (isGuarded) requireAuthority(sandbox, authority);
      const write = { what: 'Import', title, reason, isGuarded };
      const held = createHold(
        { changeSets: access, sandbox },
        { actor, sandboxId, write, now, newId },
      );
      for (const batch of operations.batches()) {
        signal.throwIfAborted();
        await held.addOperations(batch, operations.first().name);
      }
      if (columns) await access.saveImportColumns(kind, columns);
      const waiting = await held.finish();
      signal.throwIfAborted();
      return waiting;
    };
    return sets.inTransaction(sandboxId, work, DRAFT);
  };

  /** In a transaction of its own, and not at all while a long write holds the lock of the sandbox: a draft waits for no write. */
  const saveColumns = async ({ sandboxId, kind, columns }: PlannedImport): Promise<void> => {
    if (!columns) return;
    await sets
      .inTransaction(sandboxId, async (access, sandbox, transaction) => {
        requireWritable(sandbox);
        await lockSandbox(transaction, sandboxId, 0);
        await access.saveImportColumns(kind, columns);
      })
      .catch((error) => {
        if (!isError(error, 'sandbox_busy')) throw error;
      });
  };

  return {
    async draft(planned, caller) {
      await saveColumns(planned);
      return sets.inTransaction(
        planned.sandboxId,
        async (access, sandbox) => {
          requireWritable(sandbox);
          const made = await store(access, planned, caller);
          caller.signal.throwIfAborted();
          return made.changeSetId;
        },
        DRAFT,
      );
    },

    async apply(planned, caller) {
      const waiting = await hold(planned, caller);
      if (waiting) throw waiting;
      const { actor, signal, authority } = caller;
      const { sandboxId, kind, operations, columns } = planned;
      let changeSetId = '';
      const written = await writeSet({
        actor,
        sandboxId,
        signal,
        count: operations.count(),
        async prepare({ changeSets, head, sandbox }) {
          // A review may have been required since the check above.
          const isOutdated = head.seq !== planned.headSeq || sandbox.requiredApprovals > 0;
          if (isOutdated) throw new ServiceError('import_outdated');
          if (operations.changesValues()) requireAuthority(sandbox, authority);
          const set = await store(changeSets, planned, caller);
          if (columns) await changeSets.saveImportColumns(kind, columns);
          ({ changeSetId } = set);
          return { set };
        },
      }).catch((error) => {
        // The schema of an item type has changed since the plan: the next plan has the problem.
        throw isError(error, 'change_set_conflict') ? new ServiceError('import_outdated') : error;
      });
      return { changeSetId, ...written };
    },
  };
};

const isError = (error: unknown, code: ServiceError['code']): boolean =>
  error instanceof ServiceError && error.code === code;
