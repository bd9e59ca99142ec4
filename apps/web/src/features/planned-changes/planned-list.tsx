// A preview of the changes, record by record.

import { Alert, Drawer, Group, UnstyledButton } from '@mantine/core';
import type { FieldChange } from '@muster/record-diff';
import { useMemo, useState } from 'react';
import { CopyableId } from '../../ui/copyable.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import type { Tone } from '../../ui/facts.tsx';
import { Tag } from '../../ui/facts.tsx';
import { FormError } from '../../ui/forms.tsx';
import { Name } from '../../ui/names.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { Rows } from '../../ui/table/rows.ts';
import type { Columns } from '../../ui/table/table-model.ts';
import { defineColumns } from '../../ui/table/table-model.ts';
import type { PlannedChange, PlannedOperation } from './planned-change.ts';
import classes from './planned-list.module.css';

type PlannedListProps = {
  rows: Rows<PlannedChange>;
  /** Shows whether each record is an Item or an Xp table. */
  hasKinds?: boolean;
  /** Shows why a change cannot be applied and what it leaves behind, if there is any such change. */
  hasProblems?: boolean;
  isInDialog?: boolean;
};

export const PlannedList = (props: PlannedListProps) => {
  const { rows, hasKinds = false, hasProblems = false } = props;
  const [open, setOpen] = useState<PlannedChange | null>(null);
  const showsProblems = hasProblems && rows.rows.some(isRemarkable);
  const columns = useMemo(
    () => plannedColumns({ hasKinds, hasProblems: showsProblems, open: setOpen }),
    [hasKinds, showsProblems],
  );
  return (
    <>
      <DataTable
        label="changes"
        rows={rows}
        columns={columns}
        onOpen={setOpen}
        height={fitHeight(rows.rows.length)}
        isInDialog={props.isInDialog ?? false}
        empty={<EmptyState title="Nothing would change" />}
      />
      {rows.rows.length > 0 && <FormError error={rows.error} fields={[]} />}
      <ChangesDrawer change={open} onClose={() => setOpen(null)} />
    </>
  );
};

const isRemarkable = ({ problem, warnings = [] }: PlannedChange): boolean =>
  problem !== undefined || warnings.length > 0;

/** The height of the rows up to a limit, so that a short plan leaves no empty space. */
const fitHeight = (rows: number): string =>
  `min(${(rows || ROWS_OF_NOTE) * 36 + 76}px, 26rem, 60vh)`;

/** The text that an empty list shows is as high as this number of rows. */
const ROWS_OF_NOTE = 4;

type Options = {
  hasKinds: boolean;
  hasProblems: boolean;
  open: (change: PlannedChange) => void;
};

const plannedColumns = ({ hasKinds, hasProblems, open }: Options) =>
  defineColumns<PlannedChange>({
    name: {
      header: 'Name',
      width: 180,
      grow: true,
      cell: (change) => (
        <UnstyledButton className={classes.open} onClick={() => open(change)}>
          <Name name={change.name} id={change.record_id} />
        </UnstyledButton>
      ),
      sortValue: ({ name }) => name,
    },
    ...(hasKinds && KIND),
    operation: {
      header: 'What',
      width: 170,
      cell: (change) => <PlannedTag change={change} />,
      sortValue: ({ operation }) => operation,
    },
    ...(hasProblems && PROBLEM),
    fields: {
      header: 'Fields',
      width: 240,
      grow: true,
      isOnPhone: false,
      cell: ({ changes }) => listFields(changes),
    },
    id: {
      header: 'Id',
      isOnPhone: false,
      cell: ({ record_id }) => <CopyableId id={record_id} label="record id" short />,
    },
  });

const PROBLEM: Columns<PlannedChange> = {
  problem: {
    header: 'Problem',
    width: 200,
    grow: true,
    isOnPhone: false,
    cell: ({ problem, warnings = [] }) => problem?.desc ?? warnings.join(' '),
    sortValue: ({ problem, warnings = [] }) => (problem ? 0 : warnings.length > 0 ? 1 : 2),
  },
};

const KIND: Columns<PlannedChange> = {
  kind: {
    header: 'Kind',
    width: 100,
    cell: ({ kind }) => (kind === 'xp' ? 'Xp table' : 'Item'),
    sortValue: ({ kind }) => kind ?? '',
  },
};

/** The values of a single short change, and the names of several changed fields. */
const listFields = (changes: readonly FieldChange[]): string => {
  const [only] = changes.length === 1 ? changes : [];
  if (only && isShort(only.before) && isShort(only.after)) {
    return `${only.label}: ${only.before} → ${only.after}`;
  }
  return [...new Set(changes.map(({ label }) => label))].join(', ');
};

const MAX_SHORT = 24;

const isShort = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.length <= MAX_SHORT);

const LABELS: Record<PlannedOperation, [string, Tone]> = {
  create: ['create', 'good'],
  insert: ['create', 'good'],
  update: ['change', 'info'],
  restore: ['restore', 'warn'],
  delete: ['delete', 'bad'],
};

/** Shows what will happen to a record. OperationTag shows what has happened. */
const PlannedTag = ({ change }: { change: PlannedChange }) => {
  const [words, tone] = LABELS[change.operation];
  return <Tag tone={tone}>{words}</Tag>;
};

type ChangesDrawerProps = { change: PlannedChange | null; onClose: () => void };

/** The changed fields of one record. */
const ChangesDrawer = ({ change, onClose }: ChangesDrawerProps) => (
  <Drawer
    opened={change !== null}
    onClose={onClose}
    size="xl"
    title={change ? <Name name={change.name} id={change.record_id} /> : 'Changes'}
  >
    {change && (
      <>
        <Group gap="sm" mb="sm">
          <PlannedTag change={change} />
          <CopyableId id={change.record_id} label="record id" />
        </Group>
        <Problem change={change} />
        <DiffView changes={change.changes} />
      </>
    )}
  </Drawer>
);

const Problem = ({ change: { problem, warnings = [] } }: { change: PlannedChange }) => (
  <>
    {problem && (
      <Alert color="red" mb="sm" title={problem.desc}>
        {problem.conflicts && (
          <ul className="plain">
            {problem.conflicts.map(({ label }) => (
              <li key={label}>{label} was changed by a later edit.</li>
            ))}
          </ul>
        )}
      </Alert>
    )}
    {warnings.map((warning) => (
      <Alert key={warning} color="yellow" mb="sm">
        {warning}
      </Alert>
    ))}
  </>
);
