// The rules of scheduled change sets, without I/O.
import { ServiceError } from '../../platform/index.ts';
import type { ChangeSetState } from './change-set-rules.ts';
import type { ChangeSetRow } from './change-set-store.ts';

export const SCHEDULABLE: readonly ChangeSetState[] = [
  'draft',
  'in_review',
  'approved',
  'scheduled',
  'conflicted',
  'failed',
];

/** Scheduled for nothing, without a failure. */
export const NO_SCHEDULE = {
  applyAt: null,
  returnAt: null,
  scheduledBy: null,
  confirmedName: null,
  nextStepAt: null,
  failedStep: null,
  failureCode: null,
  failureDesc: null,
  failedAt: null,
  needsAttention: false,
} as const;

/** A planned change is made within this time after its moment, or not at all. */
const MAX_LATE_MS = 15 * 60_000;
const MAX_AHEAD_MS = 366 * 24 * 60 * 60_000;

type Moments = { applyAt: Date; returnAt: Date | null };

/** Errors: input_invalid. */
export const requireMoments = ({ applyAt, returnAt }: Moments, now: Date): void => {
  if (applyAt <= now) throw invalid('apply_at', 'Must be in the future.');
  if (returnAt && returnAt <= applyAt) {
    throw invalid('return_at', 'Must be after the time at which the set is applied.');
  }
  const last = returnAt ?? applyAt;
  if (last.getTime() - now.getTime() > MAX_AHEAD_MS) {
    const place = returnAt ? 'return_at' : 'apply_at';
    throw invalid(place, 'Must be within a year from now.');
  }
};

const invalid = (place: string, desc: string) => new ServiceError('input_invalid', { desc, place });

export type ScheduledStep = 'apply' | 'return';

/** What the service does next; null when nothing is pending. */
export const nextStepOf = ({
  state,
  nextStepAt,
}: Pick<ChangeSetRow, 'state' | 'nextStepAt'>): ScheduledStep | null => {
  if (nextStepAt === null) return null;
  if (state === 'scheduled') return 'apply';
  return state === 'applied' ? 'return' : null;
};

export type StepFailure = { code: string; desc: string };

/** Why a step that is due is not done any more; null when it is in time. */
export const findMissed = (
  { nextStepAt, returnAt }: Pick<ChangeSetRow, 'nextStepAt' | 'returnAt'>,
  step: ScheduledStep,
  now: Date,
): StepFailure | null => {
  if (step === 'apply' && returnAt !== null && returnAt <= now) {
    return {
      code: 'both_moments_passed',
      desc: 'The time to revert it had passed before the service could apply it. Schedule it again.',
    };
  }
  const late = nextStepAt === null ? 0 : now.getTime() - nextStepAt.getTime();
  if (late <= MAX_LATE_MS) return null;
  return {
    code: 'too_late',
    desc: 'The service could not do this within 15 minutes of the scheduled time. Apply or revert it yourself if that is still wanted.',
  };
};

/** It may have the name of a record. */
const MAX_DESC_LENGTH = 500;

/** The members of a set whose step failed. After a failed return its changes are still in effect. */
export const failedMembers = (step: ScheduledStep, { code, desc }: StepFailure, now: Date) => ({
  ...(step === 'apply' && { state: stateAfter(code) }),
  nextStepAt: null,
  failedStep: step,
  failureCode: code,
  failureDesc: desc.slice(0, MAX_DESC_LENGTH).toWellFormed(),
  failedAt: now,
  needsAttention: true,
});

const stateAfter = (code: string): ChangeSetState =>
  code === 'change_set_conflict' ? 'conflicted' : 'failed';

export type ScheduleAnswer = {
  /** While it is scheduled, and afterwards. RFC 3339. */
  schedule?: {
    apply_at: string;
    return_at?: string;
    account_id: string;
    /** Absent when nothing is pending. */
    next_step?: ScheduledStep;
  };
  failure?: {
    step: ScheduledStep;
    code: string;
    desc: string;
    at: string;
    /** Until it is acknowledged, the web app shows it on every page of the sandbox. */
    needs_attention: boolean;
  };
};

export const describeSchedule = (set: ChangeSetRow): ScheduleAnswer => {
  const step = nextStepOf(set);
  const { applyAt, returnAt, scheduledBy, failedAt } = set;
  return {
    ...(applyAt !== null &&
      scheduledBy !== null && {
        schedule: {
          apply_at: applyAt.toISOString(),
          ...(returnAt !== null && { return_at: returnAt.toISOString() }),
          account_id: scheduledBy,
          ...(step !== null && { next_step: step }),
        },
      }),
    ...(failedAt !== null && {
      failure: {
        step: set.failedStep === 'return' ? 'return' : 'apply',
        code: set.failureCode ?? '',
        desc: set.failureDesc ?? '',
        at: failedAt.toISOString(),
        needs_attention: set.needsAttention,
      },
    }),
  };
};
