// Schedules change sets for people. The scheduler applies and reverts them at their moments.
import type { z } from 'zod';
import type { Actor } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import type { ChangeSetInputs } from '../records/record-inputs.ts';
import type { OpenSandbox, SandboxAuthority } from '../sandboxes/sandbox-rules.ts';
import { requireAuthority, requireWritable } from '../sandboxes/sandbox-rules.ts';
import { checkReview, withMakers } from './change-set-review.ts';
import { isContributor } from './change-set-review-rules.ts';
import type { ReviewAccess } from './change-set-review-store.ts';
import {
  NO_SCHEDULE,
  nextStepOf,
  requireMoments,
  SCHEDULABLE,
} from './change-set-schedule-rules.ts';
import type { ChangeSetAnswer } from './change-set-service.ts';
import { requireFound, requireState, toChangeSetAnswer } from './change-set-service.ts';
import type { ChangeSetAccess, ChangeSetRow, ChangeSetStore } from './change-set-store.ts';

type Input<Name extends 'schedule' | 'unschedule' | 'acknowledge'> = {
  sandbox_id: string;
} & z.output<(typeof ChangeSetInputs)[Name]>;

type Changed = Parameters<ChangeSetAccess['change']>[1];

/** Errors of all: sandbox_not_found, change_set_not_found, change_set_closed (with state), change_set_revision_conflict. */
type ScheduleService = {
  /** Errors: sandbox_archived, sandbox_protected, sandbox_confirmation_required, input_invalid, own_change. */
  schedule(
    actor: Actor,
    input: Input<'schedule'>,
    authority: SandboxAuthority,
  ): Promise<ChangeSetAnswer>;
  /** A scheduled set becomes what it was: approved, or a draft. An applied one is not reverted any more. Errors: own_change. */
  unschedule(actor: Actor, input: Input<'unschedule'>): Promise<ChangeSetAnswer>;
  /** A user has seen the failure. */
  acknowledge(actor: Actor, input: Input<'acknowledge'>): Promise<ChangeSetAnswer>;
};

type Parts = {
  store: ChangeSetStore;
  now: () => Date;
  /** The clock of the database, which all processes share. */
  readClock: () => Promise<Date>;
};

export const createScheduleService = ({ store, now, readClock }: Parts): ScheduleService => {
  const change = (
    actor: Actor,
    procedure: string,
    { sandbox_id: sandboxId, change_set_id: changeSetId }: Input<'acknowledge'>,
    work: (
      current: ChangeSetRow,
      access: ChangeSetAccess,
      sandbox: OpenSandbox,
    ) => Promise<Changed>,
  ): Promise<ChangeSetAnswer> =>
    store.inTransaction(sandboxId, async (access, sandbox) => {
      const current = requireFound(await access.lock(changeSetId));
      const changed = await access.change(changeSetId, await work(current, access, sandbox), now());
      const answer = toChangeSetAnswer(changed);
      const { apply_at, return_at } = answer.schedule ?? {};
      const after = {
        revision: answer.revision,
        ...(apply_at !== undefined && { apply_at }),
        ...(return_at !== undefined && { return_at }),
      };
      const target = { change_set_id: changeSetId };
      await access.audit(actor, { action: `changeSets.${procedure}`, target, after }, now());
      return answer;
    });

  return {
    async schedule(actor, input, authority) {
      const applyAt = new Date(input.apply_at);
      const returnAt = input.return_at === undefined ? null : new Date(input.return_at);
      requireMoments({ applyAt, returnAt }, await readClock());
      return change(actor, 'schedule', input, async (current, access, sandbox) => {
        requireWritable(sandbox);
        requireState(current, input.expected_revision, SCHEDULABLE);
        const { changeSetId } = current;
        const { requiredApprovals } = sandbox;
        await checkReview(access, current, { actor, requiredApprovals, isScheduled: true });
        if (returnAt && requiredApprovals > 0)
          await requireOtherPerson(actor, current, access.review);
        const isDestructive =
          (await access.needsAuthority(current)) ||
          // The return deletes what the set creates.
          (returnAt !== null && (await access.hasCreates(changeSetId)));
        if (isDestructive) requireAuthority(sandbox, authority);
        return {
          ...NO_SCHEDULE,
          state: 'scheduled',
          applyAt,
          returnAt,
          nextStepAt: applyAt,
          scheduledBy: actor.accountId,
          confirmedName: authority.confirmedName ?? null,
        };
      });
    },

    unschedule: (actor, input) =>
      change(actor, 'unschedule', input, async (current, { review }, { requiredApprovals }) => {
        requireState(current, input.expected_revision, ['scheduled', 'applied']);
        const { state, changeSetId } = current;
        if (state === 'scheduled') {
          const approvals = await review.readApprovals(changeSetId);
          return { ...NO_SCHEDULE, state: approvals.length > 0 ? 'approved' : 'draft' };
        }
        if (nextStepOf(current) === null) {
          throw new ServiceError('change_set_closed', { facts: { state } });
        }
        if (requiredApprovals > 0) await requireOtherPerson(actor, current, review);
        return { nextStepAt: null, returnAt: null };
      }),

    acknowledge: (actor, input) =>
      change(actor, 'acknowledge', input, async () => ({ needsAttention: false })),
  };
};

/** A return is not reviewed, so it is decided by a person who did not change the set. Errors: own_change. */
const requireOtherPerson = async (
  { accountId }: Actor,
  set: ChangeSetRow,
  review: ReviewAccess,
): Promise<void> => {
  if (!isContributor(await withMakers(review, set), accountId)) return;
  throw new ServiceError('own_change', {
    desc: 'Someone else has to decide on the return: you created or changed the change set.',
  });
};
