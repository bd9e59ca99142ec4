import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { askAhead } from '../../components/data-table/paged-rows.ts';
import { sandboxRoute } from '../sandbox/sandbox-route.tsx';
import { historyOptions } from './history-query.ts';
import { HistorySearch } from './history-search.ts';

export const historyRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'history',
  validateSearch: HistorySearch,
  loaderDeps: ({ search: { version, sel, cols, sort, ...filters } }) => filters,
  loader: ({ params, deps }) => {
    if (deps.view === undefined) askAhead(historyOptions(params.sandbox, deps));
  },
  component: lazyRouteComponent(() => import('./history-page.tsx'), 'HistoryPage'),
});
