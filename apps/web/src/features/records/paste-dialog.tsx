// A pasted column: the field and rows that receive it, then the preview of the change set.
import { Alert, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useSandboxId } from '../../api/sandboxes.ts';
import { PlanDialog } from '../change-sets/plan-dialog.tsx';
import type { PlannedOperations } from '../change-sets/planned-set.ts';
import { usePlannedSet } from '../change-sets/planned-set.ts';
import { readCellField } from './cell-fields.ts';
import type { PastedColumn, PastePlan } from './paste-rules.ts';
import { planPaste } from './paste-rules.ts';
import type { RecordKind, StoredRecord } from './record-kind.ts';

type PasteDialogProps = {
  kind: RecordKind;
  pasted: PastedColumn;
  /** The rows for one line each, in the order of the list. Deleted ones are left out. */
  records: readonly StoredRecord[];
  isSelection: boolean;
  /** Some of the selected rows are not loaded, so nothing is pasted. */
  hasUnloaded: boolean;
  /** The shown columns that can be edited. */
  columnIds: readonly string[];
  /** The column of the focused cell. */
  columnId: string | undefined;
  onClose: () => void;
};

const MAX_PROBLEMS = 5;

export const PasteDialog = (props: PasteDialogProps) => {
  const { kind, pasted, records, isSelection, hasUnloaded, columnIds, onClose } = props;
  const sandbox = useSandboxId();
  const planned = usePlannedSet(sandbox);
  const [columnId, setColumnId] = useState(props.columnId ?? columnIds[0] ?? 'name');
  const field = readCellField(kind, columnId);
  const plan = field && planPaste(field, pasted.values, records);
  const isReady =
    !hasUnloaded && plan !== null && plan.problems.length === 0 && plan.changes.length > 0;
  const lines = `${pasted.values.length.toLocaleString('en')} ${pasted.values.length === 1 ? 'line' : 'lines'}`;
  const preview = (reason: string | undefined) =>
    planned.create({
      title: `Paste ${lines} into ${field?.label}`.slice(0, 200).toWellFormed(),
      reason,
      operations: plan?.changes.map(toOperation) ?? [],
    });
  return (
    <PlanDialog
      title={`Paste ${lines}`}
      planned={planned}
      isReady={isReady}
      onPreview={preview}
      onClose={onClose}
    >
      <NativeSelect
        data-autofocus
        label="Column"
        data={columnIds.map((value) => {
          return { value, label: readCellField(kind, value)?.label ?? value };
        })}
        value={columnId}
        onChange={(event) => setColumnId(event.currentTarget.value)}
      />
      {hasUnloaded && (
        <Alert color="red" role="alert" title="Some of the selected rows are not loaded">
          A column is pasted into loaded rows only. Select fewer rows, or scroll to the end of the
          list and then select its rows.
        </Alert>
      )}
      <Text>
        {isSelection
          ? `Into the ${describeRows(records.length, 'selected row')}, in the order of the list.`
          : `Into ${describeRows(records.length, 'row')}, beginning with "${records[0]?.name}".`}
      </Text>
      {plan && <PlanNotes plan={plan} hasMoreColumns={pasted.hasMoreColumns} />}
    </PlanDialog>
  );
};

const toOperation = ({
  record,
  patch,
}: PastePlan['changes'][number]): PlannedOperations[number] => {
  const update = { ...patch, operation: 'update', expected_version: record.version } as const;
  return 'item_id' in record
    ? { ...update, kind: 'item', item_id: record.item_id }
    : { ...update, kind: 'xp', xp_id: record.xp_id };
};

const describeRows = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** Explains a plan that does not change exactly one row for each line. */
const PlanNotes = ({ plan, hasMoreColumns }: { plan: PastePlan; hasMoreColumns: boolean }) => {
  const { changes, unchanged, deleted, problems, mismatch } = plan;
  const more = problems.length - MAX_PROBLEMS;
  return (
    <>
      {mismatch && (
        <Alert color="yellow" title="The numbers of lines and rows differ">
          {mismatch}
        </Alert>
      )}
      {deleted > 0 && (
        <Alert color="yellow" title="Deleted rows are left out">
          {describeRows(deleted, 'deleted row')} will not change.
        </Alert>
      )}
      {hasMoreColumns && (
        <Alert color="yellow" title="Only the first column is used">
          The copied cells have more than one column.
        </Alert>
      )}
      {problems.length > 0 && (
        <Alert color="red" role="alert" title={`${describeRows(problems.length, 'problem')}`}>
          {problems.slice(0, MAX_PROBLEMS).map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
          {more > 0 && <p>And {more.toLocaleString('en')} more.</p>}
        </Alert>
      )}
      {unchanged > 0 && (
        <Text c="dimmed">
          {changes.length === 0 && problems.length === 0
            ? 'All of these rows have these values already.'
            : `${describeRows(unchanged, 'row')} will not change.`}
        </Text>
      )}
    </>
  );
};
