// The queries for change sets, and what a change of one makes stale.
import type { QueryKey } from '@tanstack/react-query';
import { z } from 'zod';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import type { PagedRowsOptions } from '../../ui/table/paged-rows.ts';
import { tableSearchFields } from '../../ui/url-state.tsx';
import type { PlannedChange } from '../planned-changes/planned-change.ts';
import { identifyChange } from '../planned-changes/planned-change.ts';

export type ChangeSet = ListAnswer['change_sets'][number];
export type ReviewedChangeSet = ApiOutputs['changeSets']['get'];
export type SetComment = CommentsAnswer['comments'][number];
export type ChangeSetState = ChangeSet['state'];

type ListAnswer = ApiOutputs['changeSets']['list'];
type CommentsAnswer = ApiOutputs['changeSets']['comments'];
type PreviewAnswer = ApiOutputs['changeSets']['preview'];

const PAGE_SIZE = 100;
export const LIVE_MS = 10_000;

export const CHANGE_SET_KEYS: readonly QueryKey[] = [
  trpc.changeSets.pathKey(),
  trpc.edits.pathKey(),
];

export const STATES = [
  'draft',
  'in_review',
  'approved',
  'rejected',
  'scheduled',
  'applied',
  'reverted',
  'conflicted',
  'failed',
  'cancelled',
] as const;

/** A change set in one of these states has changed nothing yet, and still can. */
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

/** The page of a change set refetches it, since others may approve it, and the service applies a scheduled one. */
export const changeSetOptions = (sandbox_id: string, change_set_id: string) => ({
  ...trpc.changeSets.get.queryOptions({ sandbox_id, change_set_id }),
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

export const ChangeSetsSearch = z.object({
  ...tableSearchFields,
  state: z.enum(STATES).optional().catch(undefined),
});

export const changeSetsOptions = (
  sandbox_id: string,
  { state }: z.infer<typeof ChangeSetsSearch>,
): PagedRowsOptions<ListAnswer, ChangeSet> => {
  const input = { sandbox_id, state, page_size: PAGE_SIZE };
  return {
    queryKey: [...trpc.changeSets.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.changeSets.list.query({ ...input, cursor }, { signal }),
    rowsOf: ({ change_sets }) => change_sets,
    rowId: ({ change_set_id }) => change_set_id,
    liveMs: LIVE_MS,
  };
};

/** The first page has the counts of all operations, since it plans all of them. */
export const previewOptions = (
  sandbox_id: string,
  change_set_id: string,
  only_problems: boolean,
): PagedRowsOptions<PreviewAnswer, PlannedChange> => {
  const input = { sandbox_id, change_set_id, only_problems, page_size: PAGE_SIZE };
  return {
    queryKey: [...trpc.changeSets.preview.pathKey(), input],
    fetchPage: (cursor, signal) => api.changeSets.preview.query({ ...input, cursor }, { signal }),
    rowsOf: ({ operations }) => operations,
    rowId: identifyChange,
  };
};
