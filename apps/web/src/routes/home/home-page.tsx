import { useState } from 'react';
import { ActionButton } from '../../access/action-button.tsx';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { CreateSandboxDialog } from '../../features/sandboxes/create-sandbox-dialog.tsx';

export const HomePage = () => {
  const [isCreating, setCreating] = useState(false);
  return (
    <Page title="Sandboxes">
      <EmptyState title="There is no sandbox yet">
        <p>A sandbox holds the Items and Xp tables of one environment of the game.</p>
        <ActionButton anyOf={['sandbox:*']} onClick={() => setCreating(true)}>
          New sandbox
        </ActionButton>
      </EmptyState>
      {isCreating && <CreateSandboxDialog onClose={() => setCreating(false)} />}
    </Page>
  );
};
