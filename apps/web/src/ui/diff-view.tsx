// Field-by-field differences of two versions. The differ and the table load when they are first shown.
import type { FieldChange } from '@muster/record-diff';
import { lazy, Suspense } from 'react';
import { LoadingState } from './states.tsx';

const ChangeTable = lazy(() =>
  import('./change-table.tsx').then(({ ChangeTable }) => ({ default: ChangeTable })),
);
const RecordChanges = lazy(() =>
  import('./change-table.tsx').then(({ RecordChanges }) => ({ default: RecordChanges })),
);

type DiffViewProps =
  | { /** As `versions.diff` and `compare.list` answer them. */ changes: readonly FieldChange[] }
  | {
      /** Absent for a new record. */ before?: object /** Absent for a deleted one. */;
      after?: object;
    };

export const DiffView = (props: DiffViewProps) => (
  <Suspense fallback={<LoadingState lines={3} />}>
    {'changes' in props ? <ChangeTable changes={props.changes} /> : <RecordChanges {...props} />}
  </Suspense>
);
