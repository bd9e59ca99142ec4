import { nameField } from '@muster/record-diff';
import type { ApiOutputs } from '../../../api/trpc.ts';
import { AccountName } from '../../../components/accounts/account-name.tsx';
import { defineColumns } from '../../../components/data-table/columns.ts';
import { CopyableId } from '../../../components/ids/copyable-id.tsx';
import { TimeText } from '../../../components/time/time-text.tsx';
import { OperationTag } from '../../../features/records/versions/operation-tag.tsx';
import { VersionLink } from './version-link.tsx';

export type Version = ApiOutputs['versions']['list']['versions'][number];

export const VERSION_COLUMNS = defineColumns<Version>([
  {
    id: 'version',
    header: 'Version',
    width: 90,
    cell: (version) => <VersionLink version={version} />,
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
    width: 200,
    grow: true,
    isOnPhone: false,
    cell: ({ changed_fields }) => changed_fields.map(nameField).join(', ') || '–',
  },
  {
    id: 'reason',
    header: 'Reason',
    width: 220,
    grow: true,
    isOnPhone: false,
    cell: ({ reason }) => reason,
  },
  {
    id: 'who',
    header: 'By',
    width: 160,
    isOnPhone: false,
    cell: ({ account_id }) => <AccountName id={account_id} />,
  },
  { id: 'when', header: 'When', width: 130, cell: ({ issued_at }) => <TimeText at={issued_at} /> },
  {
    id: 'id',
    header: 'Version id',
    width: 130,
    isShown: false,
    cell: ({ version_id }) => <CopyableId id={version_id} label="version id" short />,
  },
]);
