// Applies and reverts change sets at their moments, by the clock of the database. A step and its record are one transaction that checks
// the revision of the set under its lock, so that every step happens once, whichever process does it.
import { permits } from '@muster/contract';
import type { Database } from '@muster/database';
import { repeat, SERVICE_ACCOUNT, ServiceError } from '../../platform/index.ts';
import type { SandboxAuthority } from '../sandboxes/sandbox-rules.ts';
import { requireAuthority } from '../sandboxes/sandbox-rules.ts';
import { checkReview } from './change-set-review.ts';
import type { SetWriter } from './change-set-runner.ts';
import type { ScheduledStep, StepFailure } from './change-set-schedule-rules.ts';
import { failedMembers, findMissed, nextStepOf } from './change-set-schedule-rules.ts';
import type { CreateRevert } from './change-set-service.ts';
import type { ChangeSetRow } from './change-set-store.ts';
import { createChangeSetAccess } from './change-set-store.ts';

type StepParts = {
  database: Pick<Database, 'prisma'>;
  writeSet: SetWriter;
  createRevert: CreateRevert;
  now: () => Date;
  readClock: () => Promise<Date>;
};

/** The permissions of an account now; null when it is disabled or does not exist. */
type ReadPermissions = (accountId: string) => Promise<readonly string[] | null>;

/** Sets whose steps are read at once. */
const MAX_DUE = 100;
/** The step is tried again, until it is too late. */
const TEMPORARY: readonly string[] = ['sandbox_busy', 'service_unavailable'];

type ScheduledSteps = ReturnType<typeof createScheduledSteps>;

export const createScheduledSteps = (parts: StepParts) => {
  const { writeSet, createRevert, now, readClock } = parts;
  const { prisma } = parts.database;

  const isUnchanged = (set: ChangeSetRow, current: ChangeSetRow | null): boolean =>
    current?.revision === set.revision;

  const apply = (set: ChangeSetRow, authority: SandboxAuthority, signal: AbortSignal) => {
    const actor = { accountId: set.scheduledBy ?? '' };
    return writeSet({
      actor,
      sandboxId: set.sandboxId,
      count: set.operationCount,
      signal,
      async prepare({ changeSets, sandbox }) {
        const current = await changeSets.lock(set.changeSetId);
        if (!current || !isUnchanged(set, current)) return null;
        const { requiredApprovals } = sandbox;
        await checkReview(changeSets, current, { actor, requiredApprovals, isScheduled: true });
        if (await changeSets.needsAuthority(current)) requireAuthority(sandbox, authority);
        return { set: current };
      },
    });
  };

  const revert = (set: ChangeSetRow, authority: SandboxAuthority, signal: AbortSignal) => {
    const actor = { accountId: set.scheduledBy ?? '' };
    return writeSet({
      actor,
      sandboxId: set.sandboxId,
      count: set.operationCount,
      signal,
      isReturn: true,
      async prepare({ changeSets, sandbox }) {
        const current = await changeSets.lock(set.changeSetId);
        const transactionId = current?.appliedTransactionId;
        if (!isUnchanged(set, current) || !transactionId) return null;
        const undo = await createRevert(changeSets, actor, {
          transactionId,
          action: 'changeSets.revert',
          revertedTitle: set.title,
          reason: 'Scheduled revert',
        });
        if (await changeSets.needsAuthority(undo)) requireAuthority(sandbox, authority);
        return { set: undo };
      },
    });
  };

  /** Nothing of the step was written. */
  const fail = (set: ChangeSetRow, step: ScheduledStep, failure: StepFailure) =>
    prisma.$transaction(async (transaction) => {
      const access = createChangeSetAccess(transaction, set.sandboxId);
      if (!isUnchanged(set, await access.lock(set.changeSetId))) return false;
      await access.change(set.changeSetId, failedMembers(step, failure, now()), now());
      const actor = { accountId: SERVICE_ACCOUNT };
      const target = { change_set_id: set.changeSetId };
      const after = { step, code: failure.code };
      const entry = { action: 'changeSets.fail', target, after, reason: failure.desc };
      await access.audit(actor, entry, now());
      await access.announce(actor, set, now(), after);
      return true;
    });

  const perform = async (
    set: ChangeSetRow,
    step: ScheduledStep,
    readPermissions: ReadPermissions,
    signal: AbortSignal,
  ): Promise<StepFailure | null> => {
    const missed = findMissed(set, step, await readClock());
    if (missed) return missed;
    const { sandboxId, confirmedName } = set;
    const permissions = await readPermissions(set.scheduledBy ?? '');
    const lost = findLostRights(permissions, sandboxId);
    if (lost) return lost;
    const administers = permits(permissions ?? [], ['sandbox:*'], sandboxId);
    const authority = { administers, confirmedName: confirmedName ?? undefined };
    try {
      await (step === 'apply' ? apply : revert)(set, authority, signal);
      return null;
    } catch (error) {
      if (!(error instanceof ServiceError) || TEMPORARY.includes(error.code)) throw error;
      return { code: error.code, desc: error.message };
    }
  };

  return {
    /** The sets with a step that is due, the oldest first. `busy`: the sandboxes whose steps run already. */
    findDue: async (busy: readonly string[]): Promise<ChangeSetRow[]> =>
      (await prisma.changeSet.findMany({
        where: {
          nextStepAt: { lte: await readClock() },
          state: { in: ['scheduled', 'applied'] },
          sandboxId: { notIn: [...busy] },
        },
        orderBy: { nextStepAt: 'asc' },
        take: MAX_DUE,
      })) as ChangeSetRow[],

    /** Does the step, or records why not: then it returns true. Nothing happens when another process was first. */
    run: async (
      set: ChangeSetRow,
      readPermissions: ReadPermissions,
      signal: AbortSignal,
    ): Promise<boolean> => {
      const step = nextStepOf(set);
      if (!step) return false;
      const failure = await perform(set, step, readPermissions, signal);
      return failure !== null && fail(set, step, failure);
    },
  };
};

const findLostRights = (
  permissions: readonly string[] | null,
  sandboxId: string,
): StepFailure | null => {
  if (permissions === null) {
    const desc =
      'The account that scheduled it is disabled, was deleted or has no working key. Another person can apply or revert it.';
    return { code: 'account_disabled', desc };
  }
  if (permits(permissions, ['sandbox:config:edit'], sandboxId)) return null;
  const desc =
    'The account that scheduled it may no longer edit the sandbox. Another person can apply or revert it.';
  return { code: 'insufficient_permissions', desc };
};

type SchedulerOptions = {
  steps: ScheduledSteps;
  readPermissions: ReadPermissions;
  /** During maintenance no step begins. */
  isMaintained: () => boolean;
  /** A step was not done, for a reason that the set has. */
  onStepFailed: () => void;
  /** The service could not do a step for now. */
  onFailure: (error: unknown) => void;
};

const POLL_MS = 1_000;
/** Sandboxes whose steps run at once: each holds a connection. */
const MAX_RUNNING = 4;

export const createChangeSetScheduler = ({
  steps,
  readPermissions,
  isMaintained,
  onStepFailed,
  onFailure,
}: SchedulerOptions) => {
  /** By sandbox: its writes cannot run at once. */
  const running = new Map<string, Promise<void>>();

  const runAll = async (sets: readonly ChangeSetRow[], signal: AbortSignal): Promise<void> => {
    for (const set of sets) {
      if (signal.aborted) return;
      try {
        if (await steps.run(set, readPermissions, signal)) onStepFailed();
      } catch (error) {
        if (!signal.aborted) onFailure(error);
      }
    }
  };

  const begin = async (signal: AbortSignal): Promise<void> => {
    if (isMaintained()) return;
    const due = await steps.findDue([...running.keys()]);
    const bySandbox = Map.groupBy(due, ({ sandboxId }) => sandboxId);
    for (const [sandboxId, sets] of bySandbox) {
      if (running.has(sandboxId)) continue;
      if (running.size >= MAX_RUNNING) return;
      const run = runAll(sets, signal).finally(() => running.delete(sandboxId));
      running.set(sandboxId, run);
    }
  };

  const finish = () => Promise.all(running.values());

  return {
    /** Does everything that is due now. */
    runDue: async (signal: AbortSignal = new AbortController().signal): Promise<void> => {
      await begin(signal);
      await finish();
    },
    /** Looks every second for steps that are due. The result stops it; a step that runs is rolled back. */
    start: (): (() => Promise<void>) => {
      const stop = repeat(begin, { intervalMs: POLL_MS, onFailure });
      return async () => {
        await stop();
        await finish();
      };
    },
  };
};
