import { UnstyledButton } from '@mantine/core';
import type { FieldChange } from '@muster/record-diff';
import type { Column } from '../../components/data-table/columns.ts';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import type { PlannedChange } from './planned-change.ts';
import classes from './planned-changes.module.css';
import { PlannedTag } from './planned-tag.tsx';

type Options = { hasRows: boolean; open: (change: PlannedChange) => void };

export const plannedColumns = ({ hasRows, open }: Options): Column<PlannedChange>[] => [
  ...(hasRows ? [ROW] : []),
  {
    id: 'name',
    header: 'Name',
    width: 180,
    grow: true,
    cell: (change) => (
      <UnstyledButton className={classes.open} onClick={() => open(change)}>
        {change.name}
      </UnstyledButton>
    ),
    sortValue: ({ name }) => name,
  },
  {
    id: 'operation',
    header: 'What',
    width: 170,
    cell: (change) => <PlannedTag change={change} />,
    sortValue: ({ operation }) => operation,
  },
  {
    id: 'fields',
    header: 'Fields',
    width: 240,
    grow: true,
    isOnPhone: false,
    cell: ({ changes }) => listFields(changes),
  },
  {
    id: 'id',
    header: 'Id',
    width: 120,
    isOnPhone: false,
    cell: ({ record_id }) => <CopyableId id={record_id} label="record id" short />,
  },
];

const ROW: Column<PlannedChange> = {
  id: 'row',
  header: 'Row',
  width: 70,
  align: 'end',
  cell: ({ row }) => <span className="numbers">{row ?? '–'}</span>,
  sortValue: ({ row }) => row ?? Number.MAX_SAFE_INTEGER,
};

export const listFields = (changes: readonly FieldChange[]): string =>
  [...new Set(changes.map(({ label }) => label))].join(', ');
