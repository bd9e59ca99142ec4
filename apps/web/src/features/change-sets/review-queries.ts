// The queries and rules of the page of a change set.
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import type { PagedRowsOptions } from '../../ui/table/paged-rows.ts';
import type { PlannedChange } from '../planned-changes/planned-change.ts';
import { identifyChange } from '../planned-changes/planned-change.ts';
import type { ChangeSet, ChangeSetState } from './change-set-queries.ts';
import { LIVE_MS } from './change-set-queries.ts';

export type ReviewedChangeSet = ApiOutputs['changeSets']['get'];
type PreviewAnswer = ApiOutputs['changeSets']['preview'];
type CommentsAnswer = ApiOutputs['changeSets']['comments'];
export type SetComment = CommentsAnswer['comments'][number];

const PAGE_SIZE = 100;

/** A change set in one of these states can still be changed and applied. */
export const OPEN_STATES: readonly ChangeSetState[] = [
  'draft',
  'in_review',
  'approved',
  'rejected',
  'scheduled',
  'conflicted',
  'failed',
];

/** The shown revision of a change set, on which a call is based. */
export const placeOf = ({ sandbox_id, change_set_id, revision }: ChangeSet) => ({
  sandbox_id,
  change_set_id,
  expected_revision: revision,
});

/** How many approvals a change set lacks before it can be applied. */
export const countMissing = ({ review }: ReviewedChangeSet): number =>
  Math.max(0, review.required_approvals - review.approvals.filter(({ counts }) => counts).length);

/**
 * The page of a change set refetches it, since others may approve it. A dialog that discards its set when it closes
 * aborts the request, which would otherwise get `change_set_not_found`.
 */
export const changeSetOptions = (sandbox_id: string, change_set_id: string) => ({
  ...trpc.changeSets.get.queryOptions(
    { sandbox_id, change_set_id },
    { trpc: { abortOnUnmount: true } },
  ),
  refetchInterval: LIVE_MS,
});

export const commentsOptions = (
  sandbox_id: string,
  change_set_id: string,
): PagedRowsOptions<CommentsAnswer, SetComment> => {
  const input = { sandbox_id, change_set_id, page_size: PAGE_SIZE };
  return {
    queryKey: [...trpc.changeSets.comments.pathKey(), input],
    fetchPage: (cursor, signal) => api.changeSets.comments.query({ ...input, cursor }, { signal }),
    rowsOf: ({ comments }) => comments,
    rowId: ({ comment_id }) => comment_id,
  };
};

/**
 * The first page has the counts of all operations, since it plans all of them. A changed set has another preview: only shown
 * changes can be approved or applied.
 */
export const previewOptions = (
  { sandbox_id, change_set_id, revision }: ChangeSet,
  only: 'problems' | 'warnings' | undefined,
): PagedRowsOptions<PreviewAnswer, PlannedChange> => {
  const input = {
    sandbox_id,
    change_set_id,
    only_problems: only === 'problems',
    only_warnings: only === 'warnings',
    page_size: PAGE_SIZE,
  };
  return {
    queryKey: [...trpc.changeSets.preview.pathKey(), { revision }, input],
    fetchPage: (cursor, signal) => api.changeSets.preview.query({ ...input, cursor }, { signal }),
    rowsOf: ({ operations }) => operations,
    rowId: identifyChange,
  };
};
