// Reads and writes what people said about a change set, and finds the set of a repeated call.
import { Uuid } from '@muster/contract';
import type { Prisma } from '@muster/database';
import type { Reviewer } from './change-set-review-rules.ts';

export type CommentKind = 'comment' | 'approval' | 'rejection' | 'bypass';
export type CommentRow = Omit<Prisma.ChangeSetCommentGetPayload<object>, 'kind'> & {
  kind: CommentKind;
};
type NewComment = Pick<
  CommentRow,
  'changeSetId' | 'commentId' | 'kind' | 'accountId' | 'text' | 'createdAt'
>;

/** Reviews of the change sets of one sandbox within one transaction. */
export type ReviewAccess = {
  addComment(comment: NewComment): Promise<CommentRow>;
  countComments(changeSetId: string): Promise<number>;
  /** Of any kind, also withdrawn ones. */
  hasComments(changeSetId: string): Promise<boolean>;
  /** Oldest first, after this one. */
  listComments(changeSetId: string, after: string | null, limit: number): Promise<CommentRow[]>;
  /** Those that are not withdrawn, oldest first. */
  readApprovals(changeSetId: string): Promise<CommentRow[]>;
  withdrawApprovals(changeSetId: string, now: Date): Promise<void>;
  findRejection(changeSetId: string): Promise<CommentRow | null>;
  /** Only people: a service account is not among them. */
  findReviewers(accountIds: readonly string[]): Promise<Reviewer[]>;
  /** The accounts that made these service accounts. */
  findMakers(accountIds: readonly string[]): Promise<string[]>;
  /** A set in review, approved or scheduled that the same call made before. */
  findWaiting(callDigest: string): Promise<string | null>;
};

export const createReviewAccess = (
  transaction: Prisma.TransactionClient,
  sandboxId: string,
): ReviewAccess => ({
  addComment: async (comment) =>
    (await transaction.changeSetComment.create({ data: { ...comment, sandboxId } })) as CommentRow,

  countComments: (changeSetId) =>
    transaction.changeSetComment.count({ where: { sandboxId, changeSetId, kind: 'comment' } }),

  async hasComments(changeSetId) {
    const where = { sandboxId, changeSetId };
    return (await transaction.changeSetComment.findFirst({ where })) !== null;
  },

  listComments: async (changeSetId, after, limit) =>
    (await transaction.changeSetComment.findMany({
      where: { sandboxId, changeSetId, ...(after !== null && { commentId: { gt: after } }) },
      orderBy: { commentId: 'asc' },
      take: limit,
    })) as CommentRow[],

  readApprovals: async (changeSetId) =>
    (await transaction.changeSetComment.findMany({
      where: { sandboxId, changeSetId, kind: 'approval', withdrawnAt: null },
      orderBy: { commentId: 'asc' },
    })) as CommentRow[],

  async withdrawApprovals(changeSetId, now) {
    await transaction.changeSetComment.updateMany({
      where: { sandboxId, changeSetId, kind: 'approval', withdrawnAt: null },
      data: { withdrawnAt: now },
    });
  },

  findRejection: async (changeSetId) =>
    (await transaction.changeSetComment.findFirst({
      where: { sandboxId, changeSetId, kind: 'rejection' },
      orderBy: { commentId: 'desc' },
    })) as CommentRow | null,

  async findReviewers(accountIds) {
    if (accountIds.length === 0) return [];
    const people = await transaction.accountUser.findMany({
      where: { id: { in: [...accountIds] } },
      select: { id: true, role: true, sandboxIds: true, disabledAt: true },
    });
    return people.map(({ id, role, sandboxIds, disabledAt }) => ({
      accountId: id,
      // A CHECK of the table allows no other values.
      role: role as Reviewer['role'],
      sandboxIds,
      disabled: disabledAt !== null,
    }));
  },

  async findMakers(accountIds) {
    const ids = accountIds.filter((id) => Uuid.safeParse(id).success);
    const made = await transaction.serviceAccount.findMany({
      where: { accountId: { in: ids } },
      select: { createdBy: true },
    });
    return made.flatMap(({ createdBy }) => createdBy ?? []);
  },

  async findWaiting(callDigest) {
    const found = await transaction.changeSet.findFirst({
      where: { sandboxId, callDigest, state: { in: ['in_review', 'approved', 'scheduled'] } },
      select: { changeSetId: true },
    });
    return found?.changeSetId ?? null;
  },
});
