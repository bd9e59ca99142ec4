// The parent of all pages that require sign-in: the guard and the shell.
import { createFileRoute, redirect } from '@tanstack/react-router';
import { queryClient } from '../api/client.ts';
import { isSignInError } from '../api/errors.ts';
import { meOptions } from '../api/me.ts';
import { sandboxesOptions } from '../api/sandboxes.ts';
import { Shell } from '../features/shell/shell.tsx';

export const Route = createFileRoute('/_app')({
  // The shell is part of the first load, so that pages do not wait for it.
  codeSplitGroupings: [],
  beforeLoad: async ({ location }) => {
    const next = location.href === '/' ? undefined : location.href;
    const me = await queryClient.ensureQueryData(meOptions).catch((error: unknown) => {
      if (isSignInError(error)) throw redirect({ to: '/login', search: { next } });
      throw error;
    });
    if (me.must_change_password) {
      throw redirect({ to: '/login', search: { next, step: 'change-password' } });
    }
    return { me };
  },
  // Requests the data of the shell while the code of the page loads.
  loader: () => queryClient.ensureQueryData(sandboxesOptions).then(() => {}),
  component: Shell,
});
