// What the list of a kind asks the service, for its page and for its route.

import type { PagedRowsOptions } from '../../../components/data-table/paged-rows.ts';
import type { RecordKind } from '../../../features/records/record-kind.ts';
import { ITEM, readId, XP } from '../../../features/records/record-kind.ts';
import type { RecordPage, StoredRecord } from '../../../features/records/record-procedures.ts';

/** The filters, as the address has them. */
export type RecordListFilters = { name?: string; deleted?: true };

const PAGE_SIZE = 100;
const rowsOf = (page: RecordPage) => page.records;
const ROW_ID = {
  item: (record: StoredRecord) => readId(ITEM, record),
  xp: (record: StoredRecord) => readId(XP, record),
};

export const recordListOptions = (
  kind: RecordKind,
  sandbox: string,
  { name, deleted }: RecordListFilters,
): PagedRowsOptions<RecordPage, StoredRecord> => {
  const input = {
    ...{ sandbox_id: sandbox, page_size: PAGE_SIZE },
    ...{ name, include_deleted: deleted === true },
  };
  return {
    queryKey: [...kind.procedures.pathKey(), 'list', input],
    fetchPage: (cursor, signal) => kind.procedures.list({ ...input, cursor }, signal),
    rowsOf,
    rowId: ROW_ID[kind.kind],
  };
};
