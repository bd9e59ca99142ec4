import { nameField } from '@muster/record-diff';
import { AccountName } from '../../components/accounts/account-name.tsx';
import { defineColumns } from '../../components/data-table/columns.ts';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import { ITEM, XP } from '../../features/records/record-kind.ts';
import { OperationTag } from '../../features/records/versions/operation-tag.tsx';
import { ChangeLink } from './change-link.tsx';
import type { Version } from './history-query.ts';

export const HISTORY_COLUMNS = defineColumns<Version>([
  {
    id: 'name',
    header: 'Record',
    width: 180,
    grow: true,
    cell: (version) => <ChangeLink version={version} />,
  },
  {
    id: 'kind',
    header: 'Kind',
    width: 90,
    isOnPhone: false,
    cell: ({ kind }) => (kind === 'item' ? ITEM : XP).one,
  },
  {
    id: 'operation',
    header: 'What',
    width: 100,
    cell: ({ operation }) => <OperationTag operation={operation} />,
  },
  {
    id: 'fields',
    header: 'Changed',
    width: 180,
    grow: true,
    isOnPhone: false,
    cell: ({ operation, changed_fields }) =>
      operation === 'insert' ? '' : changed_fields.map(nameField).join(', '),
  },
  {
    id: 'reason',
    header: 'Reason',
    width: 180,
    grow: true,
    isOnPhone: false,
    cell: ({ reason }) => reason,
  },
  {
    id: 'who',
    header: 'By',
    width: 130,
    isOnPhone: false,
    cell: ({ account_id }) => <AccountName id={account_id} />,
  },
  { id: 'when', header: 'When', width: 130, cell: ({ issued_at }) => <TimeText at={issued_at} /> },
  {
    id: 'version',
    header: 'Version',
    width: 80,
    align: 'end',
    isShown: false,
    cell: ({ version }) => <span className="numbers">{version}</span>,
  },
  {
    id: 'seq',
    header: 'Position',
    width: 90,
    align: 'end',
    isShown: false,
    cell: ({ seq }) => <span className="numbers">{seq}</span>,
  },
  {
    id: 'record_id',
    header: 'Record id',
    width: 120,
    isShown: false,
    cell: ({ record_id }) => <CopyableId id={record_id} label="record id" short />,
  },
  {
    id: 'transaction',
    header: 'Transaction',
    width: 120,
    isShown: false,
    cell: ({ transaction_id }) => <CopyableId id={transaction_id} label="transaction id" short />,
  },
]);
