// Field-by-field differences of two versions. The differ and the table load when they are first shown.
import { lazy, Suspense } from 'react';
import type { ChangesProps } from './change-table.tsx';
import { LoadingState } from './states.tsx';

const Changes = lazy(() => import('./change-table.tsx').then((m) => ({ default: m.Changes })));

export const DiffView = (props: ChangesProps) => (
  <Suspense fallback={<LoadingState lines={3} />}>
    <Changes {...props} />
  </Suspense>
);
