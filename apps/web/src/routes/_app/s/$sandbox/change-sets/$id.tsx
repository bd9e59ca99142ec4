// One change set: what it would change now, and the buttons that apply, cancel or revert it.
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { z } from 'zod';
import { useSandbox } from '../../../../../api/sandboxes.ts';
import { ChangeSetActions } from '../../../../../features/change-sets/change-set-actions.tsx';
import { ChangeSetContent } from '../../../../../features/change-sets/change-set-content.tsx';
import { StateTag } from '../../../../../features/change-sets/change-set-tag.tsx';
import { changeSetOptions } from '../../../../../features/change-sets/review-queries.ts';
import { CopyableId } from '../../../../../ui/copyable.tsx';
import { Page } from '../../../../../ui/page.tsx';
import { QueryState } from '../../../../../ui/states.tsx';
import { tableSearchFields } from '../../../../../ui/url-state.tsx';

export const Route = createFileRoute('/_app/s/$sandbox/change-sets/$id')({
  validateSearch: z.object(tableSearchFields),
  component: ChangeSetPage,
});

function ChangeSetPage() {
  const { sandbox: sandbox_id, id: change_set_id } = Route.useParams();
  const sandbox = useSandbox(sandbox_id);
  const query = useQuery(changeSetOptions(sandbox_id, change_set_id));
  const set = query.data;
  return (
    <Page
      title={set?.title ?? 'Change set'}
      above={
        <Link to="/s/$sandbox/change-sets" params={{ sandbox: sandbox_id }}>
          Change sets
        </Link>
      }
      beside={
        set && (
          <>
            <StateTag state={set.state} />
            <CopyableId id={set.change_set_id} label="change set id" short />
          </>
        )
      }
      actions={set && sandbox && <ChangeSetActions set={set} sandbox={sandbox} />}
    >
      <QueryState query={query}>{(shown) => <ChangeSetContent set={shown} />}</QueryState>
    </Page>
  );
}
