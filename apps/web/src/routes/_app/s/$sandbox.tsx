// The parent of every page of one sandbox; `$sandbox` is its id.
import { Anchor } from '@mantine/core';
import { createFileRoute, Link, notFound } from '@tanstack/react-router';
import { queryClient } from '../../../api/client.ts';
import { lastSandbox } from '../../../api/preferences.ts';
import { sandboxesOptions } from '../../../api/sandboxes.ts';
import { Page } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';

export const Route = createFileRoute('/_app/s/$sandbox')({
  beforeLoad: async ({ params: { sandbox }, preload }) => {
    // Before any page requests what is in it: the service would toFailure each request.
    if (!(await isVisible(sandbox))) throw notFound();
    if (!preload) lastSandbox.set(sandbox);
  },
  notFoundComponent: NoSandboxPage,
});

/** Asks again before it says no: the sandbox may have been created a moment ago. */
const isVisible = async (sandboxId: string): Promise<boolean> => {
  const holds = (known: readonly { sandbox_id: string }[]) =>
    known.some(({ sandbox_id }) => sandbox_id === sandboxId);
  if (holds(await queryClient.ensureQueryData(sandboxesOptions))) return true;
  return holds(await queryClient.fetchQuery({ ...sandboxesOptions, staleTime: 0 }));
};

/** The same for a sandbox that does not exist and for one that is not visible, as the service answers. */
function NoSandboxPage() {
  return (
    <Page title="There is no such sandbox">
      <EmptyState title="This sandbox does not exist, or your account may not see it">
        <p>Ask whoever sent you the link to have your role extended to it.</p>
        <Anchor component={Link} to="/">
          Go to the overview
        </Anchor>
      </EmptyState>
    </Page>
  );
}
