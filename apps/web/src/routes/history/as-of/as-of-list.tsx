// All records of a kind as they were at a moment.
import { getRouteApi } from '@tanstack/react-router';
import type { ApiOutputs } from '../../../api/trpc.ts';
import { api, trpc } from '../../../api/trpc.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { usePagedRows } from '../../../components/data-table/use-paged-rows.ts';
import { ChoiceFilter } from '../../../components/filters/choice-filter.tsx';
import { FilterBar, useFilters } from '../../../components/filters/filter-bar.tsx';
import { TextFilter } from '../../../components/filters/text-filter.tsx';
import { TimeFilter } from '../../../components/filters/time-filter.tsx';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { useUrlChange } from '../../../components/url/url-state.ts';
import { SelectedVersion } from '../selected-version.tsx';
import type { PastRecord } from './as-of-columns.tsx';
import { AS_OF_COLUMNS } from './as-of-columns.tsx';

const route = getRouteApi('/app/s/$sandbox/history');

const FILTERS = ['name', 'at', 'kind'];
const KINDS = [{ value: 'xp', label: 'Xp tables' }];
const PAGE_SIZE = 100;
const rowId = (row: PastRecord) => row.version_id;
const rowsOf = (page: ApiOutputs['records']['asOf']) => page.records;

export const AsOfList = ({ sandbox }: { sandbox: string }) => {
  const { at, name, kind } = route.useSearch();
  const change = useUrlChange();
  const { isFiltered, clear } = useFilters(FILTERS);
  const input = { sandbox_id: sandbox, page_size: PAGE_SIZE, kind: kind ?? 'item', at, name };
  const rows = usePagedRows({
    queryKey: [...trpc.records.asOf.pathKey(), input],
    fetchPage: (cursor, signal) => api.records.asOf.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
  });
  return (
    <>
      <FilterBar names={FILTERS}>
        <TimeFilter name="at" label="Moment" />
        <ChoiceFilter name="kind" label="Kind" anyLabel="Items" choices={KINDS} width={130} />
        <TextFilter name="name" label="Name at that moment" isMain />
      </FilterBar>
      <DataTable
        label="records"
        rows={rows}
        columns={AS_OF_COLUMNS}
        onOpen={({ version_id }) => change({ version: version_id }, { push: true })}
        isFiltered={isFiltered}
        onClearFilters={clear}
        empty={
          <EmptyState title="Nothing had been made yet">
            Choose a later moment, or the other kind.
          </EmptyState>
        }
      />
      <SelectedVersion sandbox={sandbox} />
    </>
  );
};
