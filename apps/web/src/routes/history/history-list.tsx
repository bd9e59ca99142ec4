import { getRouteApi } from '@tanstack/react-router';
import type { ApiInputs, ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { usePagedRows } from '../../components/data-table/use-paged-rows.ts';
import { useFilters } from '../../components/filters/filter-bar.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { useUrlChange } from '../../components/url/url-state.ts';
import { CompareSelected } from './compare-selected.tsx';
import type { Version } from './history-columns.tsx';
import { HISTORY_COLUMNS } from './history-columns.tsx';
import { HISTORY_FILTERS, HistoryFilters } from './history-filters.tsx';
import { SelectedVersion } from './selected-version.tsx';

const route = getRouteApi('/app/s/$sandbox/history');

const PAGE_SIZE = 100;
const LIVE_MS = 10_000;
const rowId = (row: Version) => row.version_id;
const rowsOf = (page: ApiOutputs['versions']['list']) => page.versions;

/** Every version that the filters let through, newest first; one is opened beside the list. */
export const HistoryList = ({ sandbox }: { sandbox: string }) => {
  const { name, kind, operation, account_id, transaction_id, from, to, ...rest } =
    route.useSearch();
  const change = useUrlChange();
  const input = {
    ...{ sandbox_id: sandbox, page_size: PAGE_SIZE, name, kind, operation, account_id },
    ...{ transaction_id, from, to },
    changed_field: rest.changed_field as ApiInputs['versions']['list']['changed_field'],
  };
  const rows = usePagedRows({
    queryKey: [...trpc.versions.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.versions.list.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
    liveMs: LIVE_MS,
  });
  const { isFiltered, clear } = useFilters(HISTORY_FILTERS);
  return (
    <>
      <HistoryFilters rows={rows.rows} />
      <DataTable
        label="versions"
        rows={rows}
        columns={HISTORY_COLUMNS}
        onOpen={({ version_id }) => change({ version: version_id }, { push: true })}
        isFiltered={isFiltered}
        onClearFilters={clear}
        selectedActions={(ids) => <CompareSelected sandbox={sandbox} ids={ids} known={rows.rows} />}
        empty={
          <EmptyState title="Nothing has happened here yet">
            Every edit of an Item or an Xp table will be listed here, with who made it and what it
            changed.
          </EmptyState>
        }
      />
      <SelectedVersion sandbox={sandbox} />
    </>
  );
};
