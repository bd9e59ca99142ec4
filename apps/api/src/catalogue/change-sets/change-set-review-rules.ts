// The right to approve a change set, and whether its approvals suffice to apply it: pure.
import type { Role } from '@muster/contract';
import { narrowToSandboxes, permits, ROLES } from '@muster/contract';
import { ServiceError } from '../../platform/index.ts';
import type { ChangeSetState } from './change-set-rules.ts';

/** The most approvals that a sandbox can require. */
export const MAX_APPROVALS = 2;

/** A change set in one of these states can be changed and cancelled. A change returns it to a draft. */
export const OPEN_STATES: readonly ChangeSetState[] = [
  'draft',
  'in_review',
  'approved',
  'rejected',
  'scheduled',
  'conflicted',
  'failed',
];

/** The account of a person as it is now. */
export type Reviewer = { accountId: string; role: Role; sandboxIds: string[]; disabled: boolean };

type Contributors = {
  authorId: string;
  editorIds: readonly string[];
  /** Of the service accounts among them. */
  makerIds?: readonly string[];
};

type ReviewedSet = Contributors & {
  sandboxId: string;
  changeSetId: string;
  state: ChangeSetState;
};

/** The author of a set and everyone who changed it since, also through a key that they made. They cannot approve it. */
export const isContributor = (
  { authorId, editorIds, makerIds = [] }: Contributors,
  accountId: string,
): boolean =>
  accountId === authorId || editorIds.includes(accountId) || makerIds.includes(accountId);

/** Whether the person's approval of this set counts, with the rights that the person has now. */
export const mayApprove = (set: ReviewedSet, reviewer: Reviewer | undefined): boolean => {
  if (!reviewer || reviewer.disabled || isContributor(set, reviewer.accountId)) return false;
  const permissions = narrowToSandboxes(
    ROLES[reviewer.role],
    reviewer.sandboxIds.length > 0 ? reviewer.sandboxIds : undefined,
  );
  return permits(permissions, ['sandbox:config:approve'], set.sandboxId);
};

/** A changed set is a draft again, and a repeated call no longer finds it. Its approvals are withdrawn. */
export const toChangedDraft = (
  set: Pick<ReviewedSet, 'authorId'> & { editorIds: string[] },
  accountId: string,
) => ({
  state: 'draft' as const,
  editorIds: isContributor(set, accountId) ? set.editorIds : [...set.editorIds, accountId],
  callDigest: null,
});

export type ReviewFacts = {
  requiredApprovals: number;
  /** Approvals that count. */
  approvals: number;
  /** True when an owner applies the set without its approvals, with a reason. */
  isBypassed: boolean;
  /** A scheduled set is applied at its moment, and not before. */
  isScheduled: boolean;
};

/** Errors: change_set_closed (also of a rejected set); review_required (with change_set_id, required_approvals, approvals). */
export const requireReviewed = (
  { state, changeSetId }: Pick<ReviewedSet, 'state' | 'changeSetId'>,
  { requiredApprovals, approvals, isBypassed, isScheduled }: ReviewFacts,
): void => {
  const isEarly = state === 'scheduled' && !isScheduled;
  if (!OPEN_STATES.includes(state) || state === 'rejected' || isEarly) {
    throw new ServiceError('change_set_closed', { facts: { state } });
  }
  if (isBypassed || approvals >= requiredApprovals) return;
  const next = state === 'draft' ? 'Submit it for review.' : 'Other people have to approve it.';
  throw new ServiceError('review_required', {
    desc: `The change set has ${approvals} of ${requiredApprovals} required approvals. ${next}`,
    facts: {
      change_set_id: changeSetId,
      required_approvals: requiredApprovals,
      approvals,
    },
  });
};
