import { defineColumns } from '../../components/data-table/columns.ts';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import { SearchLink } from '../../components/url/search-link.tsx';
import type { Entry } from './comparison.ts';
import { StatusTag } from './status-tag.tsx';

export const COMPARE_COLUMNS = defineColumns<Entry>([
  {
    id: 'name',
    header: 'Name',
    width: 180,
    grow: true,
    cell: ({ name, record_id }) => <SearchLink changes={{ record: record_id }}>{name}</SearchLink>,
    sortValue: ({ name }) => name,
  },
  {
    id: 'status',
    header: 'Where',
    width: 170,
    cell: ({ status }) => <StatusTag status={status} />,
    sortValue: ({ status }) => status,
  },
  {
    id: 'fields',
    header: 'Different fields',
    width: 220,
    grow: true,
    isOnPhone: false,
    cell: ({ status, changes }) =>
      status === 'different' ? [...new Set(changes.map(({ label }) => label))].join(', ') : '',
  },
  {
    id: 'versions',
    header: 'Versions',
    width: 110,
    isOnPhone: false,
    cell: ({ source, target }) => (
      <span className="numbers">
        {source?.version ?? '–'} → {target?.version ?? '–'}
      </span>
    ),
  },
  {
    id: 'id',
    header: 'Id',
    width: 120,
    isOnPhone: false,
    cell: ({ record_id }) => <CopyableId id={record_id} label="record id" short />,
  },
]);
