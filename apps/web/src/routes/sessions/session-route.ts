import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../router/app-route.tsx';
import { SessionSearch } from './session-search.ts';

export const sessionRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'sessions/$type/$id',
  validateSearch: SessionSearch,
  component: lazyRouteComponent(() => import('./session-page.tsx'), 'SessionPage'),
});
