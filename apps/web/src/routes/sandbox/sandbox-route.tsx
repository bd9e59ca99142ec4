import { createRoute, notFound, Outlet } from '@tanstack/react-router';
import { sandboxesOptions } from '../../access/sandboxes.ts';
import { queryClient } from '../../api/query-client.ts';
import { lastSandbox } from '../../preferences/last-sandbox.ts';
import { appRoute } from '../../router/app-route.tsx';
import { NoSandboxPage } from './no-sandbox-page.tsx';

/** The parent of every page of one sandbox; `$sandbox` is its id. */
export const sandboxRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 's/$sandbox',
  beforeLoad: async ({ params: { sandbox }, preload }) => {
    // Before any page asks for what is in it: each question would only be refused.
    if (!(await isVisible(sandbox))) throw notFound();
    if (!preload) lastSandbox.set(sandbox);
  },
  component: Outlet,
  notFoundComponent: NoSandboxPage,
});

/** Asks again before it says no: somebody else may have made the sandbox a moment ago. */
const isVisible = async (sandboxId: string): Promise<boolean> => {
  const holds = (known: readonly { sandbox_id: string }[]) =>
    known.some(({ sandbox_id }) => sandbox_id === sandboxId);
  if (holds(await queryClient.ensureQueryData(sandboxesOptions))) return true;
  return holds(await queryClient.fetchQuery({ ...sandboxesOptions, staleTime: 0 }));
};
