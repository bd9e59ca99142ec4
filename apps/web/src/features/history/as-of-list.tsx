// All records of a kind as they were at a point in time.

import { getRouteApi } from '@tanstack/react-router';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { ChoiceFilter, FilterBar, TextFilter, TimeFilter } from '../../ui/filters.tsx';
import { Name } from '../../ui/names.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import { defineColumns } from '../../ui/table/table-model.ts';
import { SearchLink, useUrlChange } from '../../ui/url-state.tsx';
import { OperationTag } from '../records/record-links.tsx';
import { SelectedVersion } from '../records/version-drawer.tsx';

const route = getRouteApi('/_app/s/$sandbox/history');

const FILTERS = ['name', 'at', 'kind'];
const KINDS = [{ value: 'xp', label: 'Xp tables' }];
const PAGE_SIZE = 100;
const rowId = (row: PastRecord) => row.version_id;
const rowsOf = (page: ApiOutputs['records']['asOf']) => page.records;

export const AsOfList = () => {
  const { at, name, kind } = route.useSearch();
  const change = useUrlChange();
  const input = {
    sandbox_id: useSandboxId(),
    page_size: PAGE_SIZE,
    kind: kind ?? 'item',
    at,
    name,
  };
  const rows = usePagedRows({
    queryKey: [...trpc.records.asOf.pathKey(), input],
    fetchPage: (cursor, signal) => api.records.asOf.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
  });
  return (
    <>
      <FilterBar names={FILTERS}>
        <TimeFilter name="at" label="Time" />
        <ChoiceFilter name="kind" label="Kind" anyLabel="Items" choices={KINDS} width={130} />
        <TextFilter name="name" label="Name at that time" isMain />
      </FilterBar>
      <DataTable
        label="records"
        rows={rows}
        columns={AS_OF_COLUMNS}
        onOpen={({ version_id }) => change({ version: version_id }, { push: true })}
        filters={FILTERS}
        empty={
          <EmptyState title="No records at this time">
            Choose a later time, or the other kind.
          </EmptyState>
        }
      />
      <SelectedVersion />
    </>
  );
};

type PastRecord = ApiOutputs['records']['asOf']['records'][number];

const AS_OF_COLUMNS = defineColumns<PastRecord>({
  name: {
    header: 'Name',
    width: 220,
    grow: true,
    cell: ({ record, version_id }) => (
      <SearchLink changes={{ version: version_id }}>
        <Name name={record.name} />
      </SearchLink>
    ),
  },
  operation: {
    header: 'Last',
    width: 110,
    cell: ({ operation }) => <OperationTag operation={operation} />,
  },
  version: { header: 'Version then', width: 110, align: 'end', cell: ({ version }) => version },
  version_id: {
    header: 'Version id',
    width: 130,
    isOnPhone: false,
    cell: ({ version_id }) => <CopyableId id={version_id} label="version id" short />,
  },
});
