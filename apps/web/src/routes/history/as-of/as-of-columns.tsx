import type { ApiOutputs } from '../../../api/trpc.ts';
import { defineColumns } from '../../../components/data-table/columns.ts';
import { CopyableId } from '../../../components/ids/copyable-id.tsx';
import { SearchLink } from '../../../components/url/search-link.tsx';
import { OperationTag } from '../../../features/records/versions/operation-tag.tsx';

export type PastRecord = ApiOutputs['records']['asOf']['records'][number];

export const AS_OF_COLUMNS = defineColumns<PastRecord>([
  {
    id: 'name',
    header: 'Name',
    width: 220,
    grow: true,
    cell: ({ record, version_id }) => (
      <SearchLink changes={{ version: version_id }}>{record.name}</SearchLink>
    ),
  },
  {
    id: 'operation',
    header: 'Last',
    width: 110,
    cell: ({ operation }) => <OperationTag operation={operation} />,
  },
  {
    id: 'version',
    header: 'Version then',
    width: 110,
    align: 'end',
    cell: ({ version }) => <span className="numbers">{version}</span>,
  },
  {
    id: 'version_id',
    header: 'Version id',
    width: 130,
    isOnPhone: false,
    cell: ({ version_id }) => <CopyableId id={version_id} label="version id" short />,
  },
]);
