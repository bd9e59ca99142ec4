import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { sandboxesOptions } from '../../access/sandboxes.ts';
import { queryClient } from '../../api/query-client.ts';
import { lastSandbox } from '../../preferences/last-sandbox.ts';
import { appRoute } from '../../router/app-route.tsx';

/** `/` leads to the sandbox that was open last, or to the first one. Without any, it says so. */
export const homeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  beforeLoad: async () => {
    const sandboxes = await queryClient.ensureQueryData(sandboxesOptions);
    const known = sandboxes.find(({ sandbox_id }) => sandbox_id === lastSandbox.get());
    const sandbox = (known ?? sandboxes[0])?.sandbox_id;
    if (sandbox) throw redirect({ to: '/s/$sandbox', params: { sandbox }, replace: true });
  },
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
});
