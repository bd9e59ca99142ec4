// The list of sandboxes, and their administration.
import { Alert, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { createFileRoute } from '@tanstack/react-router';
import { useArchivedSandboxes, useDeletedSandboxes, useSandboxes } from '../../api/sandboxes.ts';
import {
  CreateSandboxDialog,
  describeRetention,
} from '../../features/sandboxes/sandbox-dialogs.tsx';
import { SandboxList } from '../../features/sandboxes/sandbox-list.tsx';
import { ActionButton } from '../../ui/action-button.tsx';
import { Page } from '../../ui/page.tsx';

export const Route = createFileRoute('/_app/sandboxes')({
  component: SandboxesPage,
});

function SandboxesPage() {
  const active = useSandboxes();
  const archived = useArchivedSandboxes();
  const deleted = useDeletedSandboxes();
  const [isCreating, dialog] = useDisclosure(false);
  const keptDays = deleted.data?.keptDays;
  return (
    <Page
      title="Sandboxes"
      actions={
        <ActionButton anyOf={['sandbox:*']} onClick={dialog.open}>
          New sandbox
        </ActionButton>
      }
    >
      <Stack gap="md" maw="52rem">
        <SandboxList
          title="Active"
          description="One for each environment of the game. Protect the one that players play in: deleting records there and promoting into it then need its typed name."
          sandboxes={active}
          empty="There is no active sandbox."
          keptDays={keptDays}
        />
        {archived.length > 0 && (
          <SandboxList
            title="Archived"
            description="Read-only and hidden from lists and search. Their history stays readable, for games too."
            sandboxes={archived}
            keptDays={keptDays}
          />
        )}
        {deleted.data && deleted.data.sandboxes.length > 0 && (
          <SandboxList
            title="Deleted"
            description={describeRetention(keptDays)}
            sandboxes={deleted.data.sandboxes}
            keptDays={keptDays}
          />
        )}
        {deleted.data?.sandboxes.length === 0 && (
          <Alert color="gray" title="Deleting a sandbox">
            {describeRetention(keptDays)}
          </Alert>
        )}
      </Stack>
      {isCreating && <CreateSandboxDialog onClose={dialog.close} />}
    </Page>
  );
}
