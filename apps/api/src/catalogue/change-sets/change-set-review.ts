// The review of change sets: submitting, approving, rejecting and commenting, and the check before a set is applied.
import { text, Uuid } from '@muster/contract';
import { z } from 'zod';
import type { Actor } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import { cutPage } from '../pagination.ts';
import type { OpenSandbox } from '../sandboxes/sandbox-rules.ts';
import { requireWritable } from '../sandboxes/sandbox-rules.ts';
import { isContributor, mayApprove, requireReviewed } from './change-set-review-rules.ts';
import type { CommentRow, ReviewAccess } from './change-set-review-store.ts';
import type { ChangeSetState } from './change-set-rules.ts';
import { NO_SCHEDULE } from './change-set-schedule-rules.ts';
import type { ChangeSetAnswer } from './change-set-service.ts';
import { requireFound, requireState, toChangeSetAnswer } from './change-set-service.ts';
import type { ChangeSetAccess, ChangeSetRow, ChangeSetStore } from './change-set-store.ts';

/** Approvals and rejections are not counted. */
const MAX_COMMENTS = 1_000;
const MAX_COMMENT_LENGTH = 2_000;

const set = { change_set_id: Uuid };
const revised = {
  ...set,
  expected_revision: z
    .int()
    .min(1)
    .meta({ description: 'The `revision` of the change set that was reviewed.' }),
};

export const ReviewInputs = {
  submit: z.object(revised),
  approve: z.object(revised),
  reject: z.object({
    ...revised,
    reason: text(1, MAX_COMMENT_LENGTH).meta({ description: 'Why, shown to the author.' }),
  }),
  comment: z.object({ ...set, text: text(1, MAX_COMMENT_LENGTH) }),
  comments: z.object(set),
};

type Input<Name extends keyof typeof ReviewInputs> = { sandbox_id: string } & z.output<
  (typeof ReviewInputs)[Name]
>;
type Decide<Name extends keyof typeof ReviewInputs> = (
  actor: Actor,
  input: Input<Name>,
) => Promise<ChangeSetAnswer>;

export type CommentAnswer = {
  comment_id: string;
  kind: CommentRow['kind'];
  account_id: string;
  /** RFC 3339. */
  at: string;
  /** Absent from an approval. */
  text?: string;
  /** Of an approval, after a later change or a rejection. */
  withdrawn?: string;
};

export type ReviewAnswer = {
  required_approvals: number;
  /** Those that are not withdrawn. `counts` is false when its author has lost the right to approve. */
  approvals: { account_id: string; at: string; counts: boolean }[];
  /** The accounts that changed the set after its author. */
  editor_ids: string[];
  /** Of a rejected set. */
  rejection?: { account_id: string; at: string; reason: string };
};

/** Errors of all: sandbox_not_found, change_set_not_found. Of decisions: change_set_closed, change_set_revision_conflict. */
export type ChangeSetReview = {
  get(
    input: { sandbox_id: string } & { change_set_id: string },
  ): Promise<ChangeSetAnswer & { review: ReviewAnswer }>;
  /** Errors: sandbox_archived; input_invalid, for a set without operations. */
  submit: Decide<'submit'>;
  /** Repeating it changes nothing. Errors: sandbox_archived, own_change. */
  approve: Decide<'approve'>;
  /** Withdraws the approvals of others. Errors: sandbox_archived. */
  reject: Decide<'reject'>;
  /** Errors: body_too_large, for more comments than a set can have. */
  comment(actor: Actor, input: Input<'comment'>): Promise<CommentAnswer>;
  /** Oldest first. */
  comments(
    input: Input<'comments'>,
    after: string | null,
    pageSize: number,
  ): Promise<{ comments: CommentAnswer[]; next: string | null }>;
};

type Sources = { now: () => Date; newId: () => string };
type Decision = {
  procedure: 'submit' | 'approve' | 'reject';
  /** The states in which it is possible. */
  from: readonly ChangeSetState[];
  /** Returns the new state; undefined when nothing has to change. */
  decide(
    access: ChangeSetAccess,
    current: ChangeSetRow,
    sandbox: OpenSandbox,
  ): Promise<ChangeSetState | undefined>;
  reason?: string;
};

export const createChangeSetReview = (
  store: Pick<ChangeSetStore, 'inTransaction'>,
  { now, newId }: Sources,
): ChangeSetReview => {
  const decide = (
    actor: Actor,
    input: { sandbox_id: string; change_set_id: string; expected_revision: number },
    { procedure, from, decide: work, reason }: Decision,
  ): Promise<ChangeSetAnswer> => {
    const { sandbox_id: sandboxId, change_set_id: changeSetId } = input;
    return store.inTransaction(sandboxId, async (access, sandbox) => {
      requireWritable(sandbox);
      const current = await access.lock(changeSetId);
      requireState(current, input.expected_revision, from);
      const next = await work(access, current, sandbox);
      if (next === undefined) return toChangeSetAnswer(current);
      const changed = await access.change(changeSetId, { ...NO_SCHEDULE, state: next }, now());
      const entry = {
        action: `changeSets.${procedure}`,
        target: { change_set_id: changeSetId },
        after: { revision: changed.revision, state: next },
        ...(reason !== undefined && { reason }),
      };
      await access.audit(actor, entry, now());
      return toChangeSetAnswer(changed);
    });
  };

  const add = (
    { review }: ChangeSetAccess,
    actor: Actor,
    comment: { changeSetId: string; kind: CommentRow['kind']; text: string | null },
  ) =>
    review.addComment({
      ...comment,
      commentId: newId(),
      accountId: actor.accountId,
      createdAt: now(),
    });

  return {
    get: ({ sandbox_id, change_set_id }) =>
      store.inTransaction(sandbox_id, async ({ find, review }, sandbox) => {
        const found = requireFound(await find(change_set_id));
        return { ...toChangeSetAnswer(found), review: await readReview(review, found, sandbox) };
      }),

    submit: (actor, input) =>
      decide(actor, input, {
        procedure: 'submit',
        from: ['draft', 'rejected', 'failed', 'conflicted'],
        async decide(_, { operationCount }) {
          if (operationCount > 0) return 'in_review';
          throw new ServiceError('input_invalid', { desc: 'The change set has no changes.' });
        },
      }),

    approve: (actor, input) =>
      decide(actor, input, {
        procedure: 'approve',
        from: ['in_review', 'approved'],
        async decide(access, current, { requiredApprovals }) {
          const { changeSetId } = current;
          const set = await withMakers(access.review, current);
          if (isContributor(set, actor.accountId)) throw new ServiceError('own_change');
          const given = await access.review.readApprovals(changeSetId);
          if (given.some(({ accountId }) => accountId === actor.accountId)) return undefined;
          await add(access, actor, { changeSetId, kind: 'approval', text: null });
          const approvals = await countApprovals(access.review, current);
          return approvals >= Math.max(1, requiredApprovals) ? 'approved' : 'in_review';
        },
      }),

    reject: (actor, input) =>
      decide(actor, input, {
        procedure: 'reject',
        from: ['in_review', 'approved', 'scheduled', 'failed', 'conflicted'],
        reason: input.reason,
        async decide(access, { changeSetId }) {
          await access.review.withdrawApprovals(changeSetId, now());
          await add(access, actor, { changeSetId, kind: 'rejection', text: input.reason });
          return 'rejected';
        },
      }),

    comment: (actor, { sandbox_id, change_set_id: changeSetId, text: words }) =>
      store.inTransaction(sandbox_id, async (access) => {
        requireFound(await access.lock(changeSetId));
        if ((await access.review.countComments(changeSetId)) >= MAX_COMMENTS) {
          const desc = `A change set has at most ${MAX_COMMENTS} comments.`;
          throw new ServiceError('body_too_large', { desc });
        }
        const added = await add(access, actor, { changeSetId, kind: 'comment', text: words });
        const target = { change_set_id: changeSetId };
        const after = { comment_id: added.commentId };
        await access.audit(actor, { action: 'changeSets.comment', target, after }, now());
        return toCommentAnswer(added);
      }),

    comments: ({ sandbox_id, change_set_id }, after, pageSize) =>
      store.inTransaction(sandbox_id, async ({ find, review }) => {
        requireFound(await find(change_set_id));
        const found = await review.listComments(change_set_id, after, pageSize + 1);
        const { page, last } = cutPage(found, pageSize);
        return { comments: page.map(toCommentAnswer), next: last?.commentId ?? null };
      }),
  };
};

/** The approvals that count now: their authors may still approve. */
const countApprovals = async (review: ReviewAccess, current: ChangeSetRow): Promise<number> =>
  (await readApprovals(review, current)).filter(({ counts }) => counts).length;

/** A key acts for the person who made its account. */
export const withMakers = async (review: ReviewAccess, set: ChangeSetRow) => ({
  ...set,
  makerIds: await review.findMakers([set.authorId, ...set.editorIds]),
});

const readApprovals = async (
  review: ReviewAccess,
  current: ChangeSetRow,
): Promise<ReviewAnswer['approvals']> => {
  const approvals = await review.readApprovals(current.changeSetId);
  const reviewers = await review.findReviewers(approvals.map(({ accountId }) => accountId));
  const byId = new Map(reviewers.map((reviewer) => [reviewer.accountId, reviewer]));
  const set = await withMakers(review, current);
  return approvals.map(({ accountId, createdAt }) => ({
    account_id: accountId,
    at: createdAt.toISOString(),
    counts: mayApprove(set, byId.get(accountId)),
  }));
};

const readReview = async (
  review: ReviewAccess,
  current: ChangeSetRow,
  { requiredApprovals }: OpenSandbox,
): Promise<ReviewAnswer> => {
  const rejection =
    current.state === 'rejected' ? await review.findRejection(current.changeSetId) : null;
  return {
    required_approvals: requiredApprovals,
    approvals: await readApprovals(review, current),
    editor_ids: current.editorIds,
    ...(rejection && {
      rejection: {
        account_id: rejection.accountId,
        at: rejection.createdAt.toISOString(),
        reason: rejection.text ?? '',
      },
    }),
  };
};

type Application = {
  actor: Actor;
  /** The reason of an owner who applies the set without its approvals. */
  bypassReason?: string | undefined;
  requiredApprovals: number;
  /** Applied by its schedule, or being scheduled. */
  isScheduled?: boolean;
};

/**
 * The one check whether the account may apply a set, under the lock of its sandbox: every approval and the right to bypass
 * are checked again. Returns true when approvals were missing and are bypassed. Errors: change_set_closed, review_required;
 * insufficient_permissions, for a bypass by anyone but an owner.
 */
export const checkReview = async (
  { review }: Pick<ChangeSetAccess, 'review'>,
  current: ChangeSetRow,
  { actor, bypassReason, requiredApprovals, isScheduled = false }: Application,
): Promise<boolean> => {
  const approvals = requiredApprovals === 0 ? 0 : await countApprovals(review, current);
  const isBypassed = bypassReason !== undefined && approvals < requiredApprovals;
  requireReviewed(current, { requiredApprovals, approvals, isBypassed, isScheduled });
  if (!isBypassed) return false;
  const [person] = await review.findReviewers([actor.accountId]);
  if (person?.role === 'owner' && !person.disabled) return true;
  throw new ServiceError('insufficient_permissions', {
    desc: 'Only an owner can apply a change set without its approvals.',
  });
};

const toCommentAnswer = (row: CommentRow): CommentAnswer => ({
  comment_id: row.commentId,
  kind: row.kind,
  account_id: row.accountId,
  at: row.createdAt.toISOString(),
  ...(row.text !== null && { text: row.text }),
  ...(row.withdrawnAt !== null && { withdrawn: row.withdrawnAt.toISOString() }),
});
