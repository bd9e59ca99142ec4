// Deleted records: nothing is ever gone, and from here it comes back.
import { SegmentedControl } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { usePermission } from '../../access/me.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { usePagedRows } from '../../components/data-table/use-paged-rows.ts';
import { FilterBar, useFilters } from '../../components/filters/filter-bar.tsx';
import { TextFilter } from '../../components/filters/text-filter.tsx';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { useUrlChange } from '../../components/url/url-state.ts';
import { ITEM, readId, XP } from '../../features/records/record-kind.ts';
import type { RecordPage, StoredRecord } from '../../features/records/record-procedures.ts';
import { RestoreSelected } from './restore-selected.tsx';
import { TRASH_COLUMNS } from './trash-columns.tsx';

const route = getRouteApi('/app/s/$sandbox/trash');

const FILTERS = ['name'];
const PAGE_SIZE = 100;
const KINDS = [
  { value: 'item', label: ITEM.many },
  { value: 'xp', label: XP.many },
];
const rowsOf = (page: RecordPage) => page.records;
const ROW_ID = {
  item: (record: StoredRecord) => readId(ITEM, record),
  xp: (record: StoredRecord) => readId(XP, record),
};

export const TrashPage = () => {
  const { sandbox } = route.useParams();
  const { name, kind: chosen } = route.useSearch();
  const kind = chosen === 'xp' ? XP : ITEM;
  const navigate = useNavigate();
  const change = useUrlChange();
  const input = { sandbox_id: sandbox, name, only_deleted: true, page_size: PAGE_SIZE };
  const rows = usePagedRows({
    queryKey: [...kind.procedures.pathKey(), 'trash', input],
    fetchPage: (cursor, signal) => kind.procedures.list({ ...input, cursor }, signal),
    rowsOf,
    rowId: ROW_ID[kind.kind],
  });
  const { isFiltered, clear } = useFilters(FILTERS);
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox);
  return (
    <Page
      title="Trash"
      layout="fill"
      actions={
        <SegmentedControl
          aria-label="Kind"
          data={KINDS}
          value={kind.kind}
          onChange={(next) => change({ kind: next === 'xp' ? next : undefined, sel: undefined })}
        />
      }
    >
      <FilterBar names={FILTERS}>
        <TextFilter name="name" label="Name" isMain />
      </FilterBar>
      <DataTable
        label={`deleted ${kind.many}`}
        rows={rows}
        columns={TRASH_COLUMNS[kind.kind]}
        onOpen={(record) =>
          void navigate({ to: kind.paths.record, params: { sandbox, id: readId(kind, record) } })
        }
        isFiltered={isFiltered}
        onClearFilters={clear}
        selectedActions={
          mayEdit
            ? (ids, clearSelection) => (
                <RestoreSelected
                  kind={kind}
                  sandbox={sandbox}
                  records={rows.rows.filter((record) => ids.includes(readId(kind, record)))}
                  onDone={clearSelection}
                />
              )
            : undefined
        }
        empty={
          <EmptyState title={`No ${kind.one} has been deleted`}>
            What is deleted waits here, and can be restored at any time.
          </EmptyState>
        }
      />
    </Page>
  );
};
