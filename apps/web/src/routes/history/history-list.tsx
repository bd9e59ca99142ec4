import { getRouteApi } from '@tanstack/react-router';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { usePagedRows } from '../../components/data-table/use-paged-rows.ts';
import { useFilters } from '../../components/filters/filter-bar.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { useUrlChange } from '../../components/url/url-state.ts';
import { CompareSelected } from './compare-selected.tsx';
import { HISTORY_COLUMNS } from './history-columns.tsx';
import { HISTORY_FILTERS, HistoryFilters } from './history-filters.tsx';
import { historyOptions } from './history-query.ts';
import { SelectedVersion } from './selected-version.tsx';

const route = getRouteApi('/app/s/$sandbox/history');

/** Every version that the filters let through, newest first; one is opened beside the list. */
export const HistoryList = ({ sandbox }: { sandbox: string }) => {
  const change = useUrlChange();
  const rows = usePagedRows(historyOptions(sandbox, route.useSearch()));
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
