import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../router/app-route.tsx';
import { SessionsSearch } from './sessions-search.ts';

export const sessionsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'sessions',
  validateSearch: SessionsSearch,
  component: lazyRouteComponent(() => import('./sessions-page.tsx'), 'SessionsPage'),
});
