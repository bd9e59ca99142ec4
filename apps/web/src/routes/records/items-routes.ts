import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { askAhead } from '../../components/data-table/paged-rows.ts';
import { ITEM } from '../../features/records/record-kind.ts';
import { sandboxRoute } from '../sandbox/sandbox-route.tsx';
import { CompareRecordSearch } from './compare-record-search.ts';
import { recordListOptions } from './list/record-list.ts';
import { NewRecordSearch } from './new-record-search.ts';
import { RecordSearch } from './record-search.ts';
import { RecordsSearch } from './records-search.ts';

export const itemsRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'items',
  validateSearch: RecordsSearch,
  loaderDeps: ({ search: { name, deleted } }) => ({ name, deleted }),
  loader: ({ params, deps }) => askAhead(recordListOptions(ITEM, params.sandbox, deps)),
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
