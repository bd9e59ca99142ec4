import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../router/root-route.ts';
import { InviteSearch } from './invite-search.ts';

export const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'invite',
  validateSearch: InviteSearch,
  component: lazyRouteComponent(() => import('./invite-page.tsx'), 'InvitePage'),
});
