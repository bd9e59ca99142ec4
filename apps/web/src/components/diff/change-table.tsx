import type { FieldChange } from '@muster/record-diff';
import classes from './change-table.module.css';
import { FieldValue } from './field-value.tsx';

/** One row per field: what it was, what it is. Colour is never the only sign. */
export const ChangeTable = ({ changes }: { changes: readonly FieldChange[] }) => {
  if (changes.length === 0) return <p className={classes.none}>No field differs.</p>;
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
                <span className={classes.kind}>{change.change}</span>
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
