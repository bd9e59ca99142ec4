// The differences of two versions by field. The differ and the table are loaded on first use.
import { lazy, Suspense } from 'react';
import type { ChangesProps } from './change-table.tsx';
import { LoadingState } from './states.tsx';

const Changes = lazy(() => import('./change-table.tsx').then((m) => ({ default: m.Changes })));

export const DiffView = (props: ChangesProps) => (
  <Suspense fallback={<LoadingState lines={3} />}>
    <Changes {...props} />
  </Suspense>
);
