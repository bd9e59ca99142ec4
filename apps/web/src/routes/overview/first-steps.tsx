import { Link } from '@tanstack/react-router';
import { usePermission } from '../../access/me.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';

/** An empty sandbox says how it is filled. */
export const FirstSteps = ({ sandbox }: { sandbox: string }) => {
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox);
  const params = { sandbox };
  if (!mayEdit) {
    return (
      <EmptyState title="This sandbox is empty">
        Whoever may edit it can make the first Item.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="This sandbox is empty">
      <Link to="/s/$sandbox/items/new" params={params}>
        Make the first Item
      </Link>
      ,{' '}
      <Link to="/s/$sandbox/import" params={params}>
        import a file
      </Link>{' '}
      or{' '}
      <Link to="/s/$sandbox/compare-sandboxes" params={params}>
        take records over from another sandbox
      </Link>
      .
    </EmptyState>
  );
};
