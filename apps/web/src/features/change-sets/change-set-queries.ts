// The queries for change sets, and what a change of one makes stale.
import type { QueryKey } from '@tanstack/react-query';
import { z } from 'zod';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import type { PagedRowsOptions } from '../../ui/table/paged-rows.ts';
import { tableSearchFields } from '../../ui/url-state.tsx';
import type { PlannedChange } from '../planned-changes/planned-change.ts';
import { identifyChange } from '../planned-changes/planned-change.ts';

export type ChangeSet = ApiOutputs['changeSets']['get'];
export type ChangeSetState = ChangeSet['state'];

type ListAnswer = ApiOutputs['changeSets']['list'];
type PreviewAnswer = ApiOutputs['changeSets']['preview'];

const PAGE_SIZE = 100;
const LIVE_MS = 10_000;

export const CHANGE_SET_KEYS: readonly QueryKey[] = [
  trpc.changeSets.pathKey(),
  trpc.edits.pathKey(),
];

export const STATES = ['draft', 'applied', 'reverted', 'cancelled'] as const;

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
