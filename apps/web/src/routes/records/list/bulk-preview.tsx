import { DiffView } from '../../../components/diff/diff-view.tsx';
import type { RecordKind } from '../../../features/records/record-kind.ts';
import { readId } from '../../../features/records/record-kind.ts';
import classes from './bulk.module.css';
import type { PlannedEdit } from './bulk-edit.ts';

type BulkPreviewProps = { kind: RecordKind; planned: readonly PlannedEdit[]; count: number };

/** More would only slow down the typing. */
const MOST_SHOWN = 20;

export const BulkPreview = ({ kind, planned, count }: BulkPreviewProps) => {
  const refused = planned.filter(({ problem }) => problem);
  const shown = [...refused, ...planned.filter(({ problem }) => !problem)].slice(0, MOST_SHOWN);
  return (
    <section aria-label="What will change">
      <p className={classes.hint} aria-live="polite">
        {planned.length === 0
          ? 'Nothing changes yet.'
          : `${planned.length} of ${count} ${count === 1 ? kind.one : kind.many} will change.`}
        {planned.length > shown.length && ` The first ${shown.length}:`}
      </p>
      {shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        <section className={classes.preview} tabIndex={0} aria-label="Preview">
          {shown.map(({ record, before, after, problem }) => (
            <div className={classes.record} key={readId(kind, record)}>
              <h3>{record.name}</h3>
              {problem && <p role="alert">{problem}</p>}
              <DiffView before={before} after={after} />
            </div>
          ))}
        </section>
      )}
    </section>
  );
};
