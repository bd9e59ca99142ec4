import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../router/app-route.tsx';

export const sessionRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'sessions/$type/$id',
  component: lazyRouteComponent(() => import('./session-page.tsx'), 'SessionPage'),
});
