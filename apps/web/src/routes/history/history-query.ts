// What the history asks the service, for its page and for its route.
import type { z } from 'zod';
import type { ApiInputs, ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import type { PagedRowsOptions } from '../../components/data-table/paged-rows.ts';
import type { HistorySearch } from './history-search.ts';

export type Version = ApiOutputs['versions']['list']['versions'][number];

type Answer = ApiOutputs['versions']['list'];
type Input = ApiInputs['versions']['list'];

const PAGE_SIZE = 100;
const LIVE_MS = 10_000;
const rowId = (row: Version) => row.version_id;
const rowsOf = (page: Answer) => page.versions;

export const historyOptions = (
  sandbox_id: string,
  search: z.infer<typeof HistorySearch>,
): PagedRowsOptions<Answer, Version> => {
  const { name, kind, operation, account_id, transaction_id, from, to } = search;
  const input: Input = {
    ...{ sandbox_id, page_size: PAGE_SIZE, name, kind, operation, account_id },
    ...{ transaction_id, from, to },
    changed_field: search.changed_field as Input['changed_field'],
  };
  return {
    queryKey: [...trpc.versions.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.versions.list.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
    liveMs: LIVE_MS,
  };
};
