// Somebody else saved first: shows both edits, and lets one decide place by place. Loads when first needed.
import { lazy, Suspense } from 'react';
import { LoadingState } from '../states/loading-state.tsx';

const ConflictChoice = lazy(() =>
  import('./conflict-choice.tsx').then(({ ConflictChoice }) => ({ default: ConflictChoice })),
);

export type ConflictDialogProps<R extends object> = {
  /** What both edits began with. */
  base: R;
  /** What is stored now. */
  theirs: R;
  /** What is typed here. It stays in the form, whatever is done in the dialog. */
  mine: R;
  /** Who saved it: a name, where it is known. */
  theirName?: string;
  /** Both edits together, to be put into the form and saved upon the stored version. */
  onResolve: (merged: R) => void;
  onClose: () => void;
};

/** Mount it while there is a conflict. */
export const ConflictDialog = <R extends object>({
  onResolve,
  ...props
}: ConflictDialogProps<R>) => (
  <Suspense fallback={<LoadingState lines={2} />}>
    <ConflictChoice {...props} onResolve={(merged) => onResolve(merged as R)} />
  </Suspense>
);
