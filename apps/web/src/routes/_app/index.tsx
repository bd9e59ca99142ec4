// `/` redirects to the last open sandbox, or to the first one. If there is none, the page shows that.
import { createFileRoute, redirect } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../../api/client.ts';
import { lastSandbox } from '../../api/preferences.ts';
import { sandboxesOptions } from '../../api/sandboxes.ts';
import { CreateSandboxDialog } from '../../features/sandboxes/sandbox-dialogs.tsx';
import { ActionButton } from '../../ui/action-button.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

export const Route = createFileRoute('/_app/')({
  beforeLoad: async () => {
    const known = await queryClient.ensureQueryData(sandboxesOptions);
    const sandboxes = known.filter(({ archived }) => archived === undefined);
    const last = sandboxes.find(({ sandbox_id }) => sandbox_id === lastSandbox.get());
    const sandbox = (last ?? sandboxes[0])?.sandbox_id;
    if (sandbox) throw redirect({ to: '/s/$sandbox', params: { sandbox }, replace: true });
  },
  component: HomePage,
});

function HomePage() {
  const [isCreating, setCreating] = useState(false);
  return (
    <Page title="Sandboxes">
      <EmptyState title="No sandboxes yet">
        <p>A sandbox holds the Items and Xp tables of one environment of the game.</p>
        <ActionButton anyOf={['sandbox:*']} onClick={() => setCreating(true)}>
          New sandbox
        </ActionButton>
      </EmptyState>
      {isCreating && <CreateSandboxDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
