// Everything behind the sign-in: the guard, and the shell around the pages.
import { createRoute, redirect } from '@tanstack/react-router';
import { meOptions } from '../access/me.ts';
import { sandboxesOptions } from '../access/sandboxes.ts';
import { isSignInError } from '../access/sign-in-error.ts';
import { queryClient } from '../api/query-client.ts';
import { Shell } from '../shell/shell.tsx';
import { rootRoute } from './root-route.ts';

export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: async ({ location }) => {
    const next = location.href === '/' ? undefined : location.href;
    const me = await queryClient.ensureQueryData(meOptions).catch((error: unknown) => {
      if (isSignInError(error)) throw redirect({ to: '/login', search: { next } });
      throw error;
    });
    if (me.must_change_password) {
      throw redirect({ to: '/login', search: { next, step: 'change-password' } });
    }
  },
  // What the shell shows, asked for while the code of the page is on its way.
  loader: () => queryClient.ensureQueryData(sandboxesOptions).then(() => {}),
  component: Shell,
});
