import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../router/app-route.tsx';
import { NewSessionSearch } from './new-session-search.ts';

export const newSessionRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'sessions/new',
  validateSearch: NewSessionSearch,
  component: lazyRouteComponent(() => import('./new-session-page.tsx'), 'NewSessionPage'),
});
