// The query of the records of a past moment. Apart from the history's, which the first load of the app contains.
import type { z } from 'zod';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import type { PagedRowsOptions } from '../../ui/table/paged-rows.ts';
import type { HistorySearch } from './history-query.ts';

const PAGE_SIZE = 100;

type AsOfAnswer = ApiOutputs['records']['asOf'];
export type PastRecord = AsOfAnswer['records'][number];

/** Absent: the Items, now. */
type AsOfSearch = Pick<z.infer<typeof HistorySearch>, 'at' | 'name' | 'kind'>;

export const asOfOptions = (
  sandbox_id: string,
  { at, name, kind = 'item' }: AsOfSearch,
): PagedRowsOptions<AsOfAnswer, PastRecord> => {
  const input = { sandbox_id, page_size: PAGE_SIZE, kind, at, name };
  return {
    queryKey: [...trpc.records.asOf.pathKey(), input],
    fetchPage: (cursor, signal) => api.records.asOf.query({ ...input, cursor }, { signal }),
    rowsOf: ({ records }) => records,
    rowId: ({ record }) => ('item_id' in record ? record.item_id : record.xp_id),
  };
};
