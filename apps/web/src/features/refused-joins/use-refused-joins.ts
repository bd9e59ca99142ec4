import type { ApiInputs, ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import type { Rows } from '../../ui/table/rows.ts';
import type { RefusedJoin } from './refused-join-list.tsx';

const LIVE_MS = 5_000;

const rowsOf = (page: ApiOutputs['refusedJoins']['list']) => page.refused_joins;
const rowId = ({ refusal_id }: RefusedJoin) => refusal_id;

/** Newest first; new ones are counted until they are shown. */
export const useRefusedJoins = (input: ApiInputs['refusedJoins']['list']): Rows<RefusedJoin> =>
  usePagedRows({
    queryKey: [...trpc.refusedJoins.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.refusedJoins.list.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
    liveMs: LIVE_MS,
  });
