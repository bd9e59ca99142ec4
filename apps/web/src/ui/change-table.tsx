import { Box } from '@mantine/core';
import type { FieldChange } from '@muster/record-diff';
import { diffRecords } from '@muster/record-diff';
import { useMemo } from 'react';
import classes from './change-table.module.css';

/** One row per field, with the old and the new value. Changes are not marked by colour alone. */
export const ChangeTable = ({ changes }: { changes: readonly FieldChange[] }) => {
  if (changes.length === 0) {
    return (
      <Box component="p" m={0} c="dimmed">
        No field differs.
      </Box>
    );
  }
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={JSON.stringify(change.path)} data-change={change.change}>
              <th scope="row">
                {change.label}
                <Box component="span" display="block" c="dimmed" fz="0.75rem" fw={400}>
                  {change.change}
                </Box>
              </th>
              <td data-side="before">
                {'before' in change ? <FieldValue value={change.before} /> : <Absent />}
              </td>
              <td data-side="after">
                {'after' in change ? <FieldValue value={change.after} /> : <Absent />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Absent = () => <span className={classes.absent}>–</span>;

/** Formats a value of a record: strings unchanged, other values as JSON. */
export const FieldValue = ({ value }: { value: unknown }) => {
  if (value === undefined) return <span className={classes.absent}>–</span>;
  if (value === '') return <span className={classes.absent}>empty text</span>;
  if (typeof value === 'string') return <span className={classes.value}>{value}</span>;
  return <code className={classes.value}>{JSON.stringify(value, null, 1)}</code>;
};

type Sides = {
  /** Absent for a new record. */
  before?: object;
  /** Absent for a deleted record. */
  after?: object;
};

/** The changes that `versions.diff` or `compare.list` returned. Absent: computed here. */
export type ChangesProps = { changes: readonly FieldChange[] } | Sides;

export const Changes = (props: ChangesProps) =>
  'changes' in props ? <ChangeTable changes={props.changes} /> : <RecordChanges {...props} />;

const RecordChanges = ({ before, after }: Sides) => {
  const changes = useMemo(() => diffRecords(before ?? null, after ?? null), [before, after]);
  return <ChangeTable changes={changes} />;
};
