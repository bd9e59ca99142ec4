// All records of a kind as they were at a point in time.

import { getRouteApi } from '@tanstack/react-router';
import { usePermission } from '../../api/me.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { Tag } from '../../ui/facts.tsx';
import { ChoiceFilter, FilterBar, TextFilter, TimeFilter } from '../../ui/filters.tsx';
import { Name } from '../../ui/names.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import { defineColumns } from '../../ui/table/table-model.ts';
import { SearchLink, useUrlChange } from '../../ui/url-state.tsx';
import { OperationTag } from '../records/record-links.tsx';
import type { PastRecord } from './as-of-query.ts';
import { asOfOptions } from './as-of-query.ts';
import { RestorePastButton } from './past-actions.tsx';
import { PastDrawer } from './past-drawer.tsx';

const route = getRouteApi('/_app/s/$sandbox/history');

const FILTERS = ['name', 'at', 'kind'];
const KINDS = [{ value: 'xp', label: 'Xp tables' }];

export const AsOfList = () => {
  const search = route.useSearch();
  const sandbox = useSandboxId();
  const change = useUrlChange();
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox);
  const rows = usePagedRows(asOfOptions(sandbox, search));
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
        selectedActions={mayEdit ? (ids) => <RestorePastButton ids={ids} /> : undefined}
        empty={
          <EmptyState title="No records at this time">
            Choose a later time, or the other kind.
          </EmptyState>
        }
      />
      <PastDrawer />
    </>
  );
};

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
    isOnPhone: false,
    cell: ({ operation }) => <OperationTag operation={operation} />,
  },
  version: { header: 'Version then', width: 110, align: 'end', cell: ({ version }) => version },
  now: { header: 'Now', width: 130, cell: (row) => <Now {...row} /> },
  version_id: {
    header: 'Version id',
    width: 130,
    isOnPhone: false,
    cell: ({ version_id }) => <CopyableId id={version_id} label="version id" short />,
  },
});

const Now = ({ version, current_version, deleted }: PastRecord) => {
  if (deleted) return <Tag tone="bad">deleted</Tag>;
  if (current_version === version) return <>unchanged</>;
  return <Tag tone="info">{`version ${current_version}`}</Tag>;
};
