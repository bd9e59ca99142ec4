import { lazy, Suspense } from 'react';
import { LoadingState } from '../../../components/states/loading-state.tsx';
import type { DraftState } from '../draft/use-draft.ts';

const JsonEditor = lazy(() =>
  import('./json-editor.tsx').then(({ JsonEditor }) => ({ default: JsonEditor })),
);

/** The parser that knows places loads when the tab is first opened. */
export const LazyJsonEditor = ({ state }: { state: DraftState }) => (
  <Suspense fallback={<LoadingState lines={8} />}>
    <JsonEditor state={state} />
  </Suspense>
);
