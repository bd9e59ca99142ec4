// The edits of a sandbox, newest first: everything that one transaction wrote is one row.
import { getRouteApi } from '@tanstack/react-router';
import { useSandboxId } from '../../api/sandboxes.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import { defineColumns } from '../../ui/table/table-model.ts';
import { SearchLink, useUrlChange } from '../../ui/url-state.tsx';
import { RevertButton } from '../change-sets/revert-button.tsx';
import { CHANGE_COLUMNS } from '../records/version-columns.tsx';
import { EditDrawer } from './edit-drawer.tsx';
import { describeEdit, describeFields, nameEdit } from './edit-words.ts';
import type { Edit } from './history-query.ts';
import { editsOptions } from './history-query.ts';

const route = getRouteApi('/_app/s/$sandbox/history');

export const EditList = () => {
  const change = useUrlChange();
  const rows = usePagedRows(editsOptions(useSandboxId()));
  const { edit } = route.useSearch();
  return (
    <>
      <DataTable
        label="edits"
        rows={rows}
        columns={EDIT_COLUMNS}
        onOpen={({ transaction_id }) => change({ edit: transaction_id }, { push: true })}
        empty={
          <EmptyState title="No edits yet">
            Every edit of Items and Xp tables appears here, with its author and what changed.
          </EmptyState>
        }
      />
      <EditDrawer
        transactionId={edit}
        edit={rows.rows.find(({ transaction_id }) => transaction_id === edit)}
      />
    </>
  );
};

const EDIT_COLUMNS = defineColumns<Edit>({
  edit: {
    header: 'Edit',
    width: 140,
    grow: true,
    cell: (edit) => (
      <SearchLink changes={{ edit: edit.transaction_id }}>
        <bdi>{nameEdit(edit)}</bdi>
      </SearchLink>
    ),
  },
  what: { header: 'What', width: 120, grow: true, cell: describeEdit },
  fields: { header: 'Fields', width: 80, grow: true, isOnPhone: false, cell: describeFields },
  ...CHANGE_COLUMNS,
  revert: {
    header: 'Revert',
    width: 90,
    isOnPhone: false,
    cell: ({ transaction_id }) => <RevertEdit transactionId={transaction_id} />,
  },
  transaction: {
    header: 'Transaction',
    isShown: false,
    cell: ({ transaction_id }) => <CopyableId id={transaction_id} label="transaction id" short />,
  },
});

const RevertEdit = ({ transactionId }: { transactionId: string }) => (
  <RevertButton sandbox={useSandboxId()} transactionId={transactionId} isSmall />
);
