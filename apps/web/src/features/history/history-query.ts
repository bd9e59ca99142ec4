// The query of the history, shared by its page and its route loader.

import { HistoryOperation } from '@muster/contract';
import { z } from 'zod';
import type { ApiInputs, ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import type { PagedRowsOptions } from '../../ui/table/paged-rows.ts';
import { tableSearchFields, textParam, wordParam } from '../../ui/url-state.tsx';
import type { Version } from '../records/version-columns.tsx';

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
  // The router also passes other parameters of the URL. They must not become part of the query.
  const { view, at, version, cols, sort, sel, ...filters } = HistorySearch.parse(search);
  const input = { ...filters, sandbox_id, page_size: PAGE_SIZE } as Input;
  return {
    queryKey: [...trpc.versions.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.versions.list.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
    liveMs: LIVE_MS,
  };
};

export const HistorySearch = z.object({
  ...tableSearchFields,
  /** Absent: every version. `as-of`: the records as they were at the time `at`. */
  view: z.literal('as-of').optional().catch(undefined),
  at: textParam,
  name: textParam,
  kind: z.enum(['item', 'xp']).optional().catch(undefined),
  operation: HistoryOperation.optional().catch(undefined),
  changed_field: textParam,
  account_id: textParam,
  transaction_id: textParam,
  from: textParam,
  to: textParam,
  /** The id of the version that is open beside the list. */
  version: wordParam,
});
