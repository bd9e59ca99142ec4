// The parent of every page of one sandbox; `$sandbox` is its id.
import { Alert, Anchor } from '@mantine/core';
import { createFileRoute, Link, notFound, Outlet } from '@tanstack/react-router';
import { queryClient } from '../../../api/client.ts';
import { lastSandbox } from '../../../api/preferences.ts';
import { sandboxesOptions, useSandbox } from '../../../api/sandboxes.ts';
import { ScheduleBanner } from '../../../features/change-sets/schedule-banner.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';

export const Route = createFileRoute('/_app/s/$sandbox')({
  beforeLoad: async ({ params: { sandbox }, preload }) => {
    // Runs before any page requests data of the sandbox, which the service would reject.
    if (!(await isVisible(sandbox))) throw notFound();
    if (!preload) lastSandbox.set(sandbox);
  },
  component: SandboxPages,
  notFoundComponent: NoSandboxPage,
});

/** Every page shows that the sandbox is archived, and which scheduled change sets failed. */
function SandboxPages() {
  const { sandbox: id } = Route.useParams();
  const sandbox = useSandbox(id);
  return (
    <>
      {sandbox?.archived && (
        <Alert color="yellow" radius={0} py={6} role="status">
          {sandbox.name} is archived: it can be read, not changed.{' '}
          <Anchor component={Link} to="/sandboxes" underline="always">
            Manage sandboxes
          </Anchor>
        </Alert>
      )}
      <ScheduleBanner sandbox={id} />
      <Outlet />
    </>
  );
}

/** Refetches the list before it reports a missing sandbox, which may have just been created. */
const isVisible = async (sandboxId: string): Promise<boolean> => {
  const holds = (known: readonly { sandbox_id: string }[]) =>
    known.some(({ sandbox_id }) => sandbox_id === sandboxId);
  if (holds(await queryClient.ensureQueryData(sandboxesOptions))) return true;
  return holds(await queryClient.fetchQuery({ ...sandboxesOptions, staleTime: 0 }));
};

/** Does not distinguish a missing sandbox from one that is not visible, like the service. */
function NoSandboxPage() {
  return (
    <Page title="Sandbox not found">
      <EmptyState title="This sandbox does not exist, or your account may not see it">
        <p>If someone sent you the link, ask them to give your account access.</p>
        <Anchor component={Link} to="/">
          Go to the overview
        </Anchor>
      </EmptyState>
    </Page>
  );
}
