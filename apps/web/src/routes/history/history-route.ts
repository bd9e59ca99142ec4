import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { sandboxRoute } from '../sandbox/sandbox-route.tsx';
import { HistorySearch } from './history-search.ts';

export const historyRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'history',
  validateSearch: HistorySearch,
  component: lazyRouteComponent(() => import('./history-page.tsx'), 'HistoryPage'),
});
