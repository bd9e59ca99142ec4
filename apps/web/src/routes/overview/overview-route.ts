import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { sandboxRoute } from '../sandbox/sandbox-route.tsx';
import { OverviewSearch } from './overview-search.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: '/',
  validateSearch: OverviewSearch,
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
});
