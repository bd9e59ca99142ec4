// The queries for change sets, and what a change of one makes stale.
import type { QueryKey } from '@tanstack/react-query';
import { z } from 'zod';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import type { PagedRowsOptions } from '../../ui/table/paged-rows.ts';
import { tableSearchFields } from '../../ui/url-state.tsx';

export type ChangeSet = ListAnswer['change_sets'][number];
export type ChangeSetState = ChangeSet['state'];

type ListAnswer = ApiOutputs['changeSets']['list'];

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
