import { nameField } from '@muster/record-diff';
import classes from './import.module.css';
import type { ImportAnswer } from './import-answer.ts';

/** What is wrong with the file, in full; rows are counted as a spreadsheet or an editor shows them. */
export const ProblemList = ({ answer }: { answer: ImportAnswer }) => (
  <>
    <p className={classes.hint}>
      Rows are counted from 1, as a spreadsheet or an editor shows them. Mend them, and check again.
    </p>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
    <section className={classes.problems} tabIndex={0} aria-label="Problems">
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Column</th>
            <th scope="col">What is wrong</th>
          </tr>
        </thead>
        <tbody>
          {answer.errors.map(({ row, column, msg }) => (
            <tr key={JSON.stringify([row, column, msg])}>
              <td className="numbers">{row}</td>
              <td className="mono" data-hint={column && nameField(column)}>
                {column ?? '–'}
              </td>
              <td>{msg}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
    {answer.error_count > answer.errors.length && (
      <p className={classes.hint}>
        The first {answer.errors.length.toLocaleString('en')} of{' '}
        {answer.error_count.toLocaleString('en')} are listed.
      </p>
    )}
  </>
);
