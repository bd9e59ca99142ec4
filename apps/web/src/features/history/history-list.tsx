import { nameField } from '@muster/record-diff';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useSandboxId } from '../../api/sandboxes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { CopyableId } from '../../ui/copyable.tsx';
import { Name } from '../../ui/names.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import { defineColumns } from '../../ui/table/table-model.ts';
import { SearchLink, useUrlChange } from '../../ui/url-state.tsx';
import { RECORD_KINDS } from '../records/record-kind.ts';
import type { Version } from '../records/version-columns.tsx';
import { VERSION_COLUMNS } from '../records/version-columns.tsx';
import { SelectedVersion } from '../records/version-drawer.tsx';
import { HistoryFilters } from './history-filters.tsx';
import { HISTORY_FILTERS, historyOptions } from './history-query.ts';

const route = getRouteApi('/_app/s/$sandbox/history');

/** Every version that matches the filters, newest first. The selected one opens beside the list. */
export const HistoryList = () => {
  const change = useUrlChange();
  const rows = usePagedRows(historyOptions(useSandboxId(), route.useSearch()));
  return (
    <>
      <HistoryFilters rows={rows.rows} />
      <DataTable
        label="versions"
        rows={rows}
        columns={HISTORY_COLUMNS}
        onOpen={({ version_id }) => change({ version: version_id }, { push: true })}
        filters={HISTORY_FILTERS}
        selectedActions={(ids) => <CompareSelected ids={ids} known={rows.rows} />}
        empty={
          <EmptyState title="No changes yet">
            Every edit of an Item or an Xp table appears here, with its author and what changed.
          </EmptyState>
        }
      />
      <SelectedVersion />
    </>
  );
};

const HISTORY_COLUMNS = defineColumns<Version>({
  name: {
    header: 'Record',
    width: 140,
    grow: true,
    cell: ({ name, version_id, record_id }) => (
      <SearchLink changes={{ version: version_id }}>
        <Name name={name} id={record_id} />
      </SearchLink>
    ),
  },
  kind: { header: 'Kind', width: 90, isOnPhone: false, cell: ({ kind }) => RECORD_KINDS[kind].one },
  operation: VERSION_COLUMNS.operation,
  fields: {
    header: 'Changed',
    width: 140,
    grow: true,
    isOnPhone: false,
    cell: ({ operation, changed_fields }) =>
      operation === 'insert' ? '' : changed_fields.map(nameField).join(', '),
  },
  reason: VERSION_COLUMNS.reason,
  who: VERSION_COLUMNS.who,
  when: VERSION_COLUMNS.when,
  version: {
    header: 'Version',
    width: 80,
    align: 'end',
    isShown: false,
    cell: ({ version }) => version,
  },
  seq: { header: 'Position', width: 90, align: 'end', isShown: false, cell: ({ seq }) => seq },
  record_id: {
    header: 'Record id',
    isShown: false,
    cell: ({ record_id }) => <CopyableId id={record_id} label="record id" short />,
  },
  transaction: {
    header: 'Transaction',
    isShown: false,
    cell: ({ transaction_id }) => <CopyableId id={transaction_id} label="transaction id" short />,
  },
});

type CompareSelectedProps = {
  /** Version ids. */
  ids: readonly string[];
  known: readonly Version[];
};

/** The two versions of one record to compare, the older one first. */
const CompareSelected = ({ ids, known }: CompareSelectedProps) => {
  const sandbox = useSandboxId();
  const navigate = useNavigate();
  const selected = known
    .filter(({ version_id }) => ids.includes(version_id))
    .toSorted((a, b) => a.seq - b.seq);
  const [from, to] = selected;
  const compare = () => {
    if (!from || !to) return;
    const { paths } = RECORD_KINDS[from.kind];
    void navigate({
      to: paths.compare,
      params: { sandbox, id: from.record_id },
      search: { from: from.version_id, to: to.version_id },
    });
  };
  return (
    <ActionButton variant="default" reason={findObstacle(ids, selected)} onClick={compare}>
      Compare
    </ActionButton>
  );
};

const findObstacle = (ids: readonly string[], [from, to]: readonly Version[]): string | false => {
  if (ids.length !== 2) return 'Choose two versions of one record.';
  if (!from || !to) return 'Scroll to both versions first, so that they are loaded.';
  const isOneRecord = from.kind === to.kind && from.record_id === to.record_id;
  return !isOneRecord && 'These are versions of two different records.';
};
