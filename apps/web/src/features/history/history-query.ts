// The query of the history, shared by its page and its route loader.

import { HistoryOperation } from '@muster/contract';
import { z } from 'zod';
import type { ApiInputs, ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import type { PagedRowsOptions } from '../../ui/table/paged-rows.ts';
import { momentParam, tableSearchFields, textParam, wordParam } from '../../ui/url-state.tsx';
import type { Version } from '../records/version-columns.tsx';

type Answer = ApiOutputs['versions']['list'];
type Input = ApiInputs['versions']['list'];

const PAGE_SIZE = 100;
const LIVE_MS = 10_000;
const rowId = (row: Version) => row.version_id;
const rowsOf = (page: Answer) => page.versions;

type EditsAnswer = ApiOutputs['edits']['list'];
export type Edit = EditsAnswer['edits'][number];

export const editsOptions = (sandbox_id: string): PagedRowsOptions<EditsAnswer, Edit> => {
  const input = { sandbox_id, page_size: PAGE_SIZE };
  return {
    queryKey: [...trpc.edits.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.edits.list.query({ ...input, cursor }, { signal }),
    rowsOf: ({ edits }) => edits,
    rowId: ({ transaction_id }) => transaction_id,
    liveMs: LIVE_MS,
  };
};

export const historyOptions = (
  sandbox_id: string,
  search: z.infer<typeof HistorySearch>,
): PagedRowsOptions<Answer, Version> => {
  // The router also passes other parameters of the URL. They must not become part of the query.
  const { view, at, version, edit, cols, sort, sel, ...filters } = HistorySearch.parse(search);
  const input = { ...filters, sandbox_id, page_size: PAGE_SIZE } as Input;
  return {
    queryKey: [...trpc.versions.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.versions.list.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
    liveMs: LIVE_MS,
  };
};

export const HISTORY_FILTERS = [
  'name',
  'kind',
  'operation',
  'changed_field',
  'account_id',
  'transaction_id',
  'from',
  'to',
];

const HistoryFields = z.object({
  ...tableSearchFields,
  /** Absent: the edits. `as-of`: the records as they were at the time `at`. */
  view: z.enum(['versions', 'as-of']).optional().catch(undefined),
  at: momentParam,
  name: textParam,
  kind: z.enum(['item', 'xp']).optional().catch(undefined),
  operation: HistoryOperation.optional().catch(undefined),
  changed_field: textParam,
  account_id: textParam,
  transaction_id: textParam,
  from: momentParam,
  to: momentParam,
  /** The id of the version that is open beside the list. */
  version: wordParam,
  /** The transaction id of the edit that is open beside the list. */
  edit: wordParam,
});

/** The filters are of versions: a link with a filter shows versions, also after the user clears the filter. */
export const HistorySearch = HistoryFields.transform((search) => {
  const values: Readonly<Record<string, unknown>> = search;
  const isFiltered = HISTORY_FILTERS.some((name) => values[name] !== undefined);
  return isFiltered && search.view === undefined
    ? { ...search, view: 'versions' as const }
    : search;
});
