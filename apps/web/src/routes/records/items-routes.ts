import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { sandboxRoute } from '../sandbox/sandbox-route.tsx';
import { CompareRecordSearch } from './compare-record-search.ts';
import { NewRecordSearch } from './new-record-search.ts';
import { RecordSearch } from './record-search.ts';
import { RecordsSearch } from './records-search.ts';

export const itemsRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'items',
  validateSearch: RecordsSearch,
  component: lazyRouteComponent(() => import('./records-page.tsx'), 'ItemsPage'),
});

export const newItemRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'items/new',
  validateSearch: NewRecordSearch,
  component: lazyRouteComponent(() => import('./new-record-page.tsx'), 'NewItemPage'),
});

export const itemRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'items/$id',
  validateSearch: RecordSearch,
  component: lazyRouteComponent(() => import('./record-page.tsx'), 'ItemPage'),
});

export const compareItemRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'items/$id/compare',
  validateSearch: CompareRecordSearch,
  component: lazyRouteComponent(() => import('./compare-record-page.tsx'), 'CompareItemPage'),
});
