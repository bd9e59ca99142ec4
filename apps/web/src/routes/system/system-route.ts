import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../router/app-route.tsx';
import { SystemSearch } from './system-search.ts';

export const systemRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'system',
  validateSearch: SystemSearch,
  component: lazyRouteComponent(() => import('./system-page.tsx'), 'SystemPage'),
});
