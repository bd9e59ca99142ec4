import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { askAhead } from '../../components/data-table/paged-rows.ts';
import { XP } from '../../features/records/record-kind.ts';
import { sandboxRoute } from '../sandbox/sandbox-route.tsx';
import { CompareRecordSearch } from './compare-record-search.ts';
import { recordListOptions } from './list/record-list.ts';
import { NewRecordSearch } from './new-record-search.ts';
import { RecordSearch } from './record-search.ts';
import { RecordsSearch } from './records-search.ts';

export const xpRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'xp',
  validateSearch: RecordsSearch,
  loaderDeps: ({ search: { name, deleted } }) => ({ name, deleted }),
  loader: ({ params, deps }) => askAhead(recordListOptions(XP, params.sandbox, deps)),
  component: lazyRouteComponent(() => import('./records-page.tsx'), 'XpPage'),
});

export const newXpRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'xp/new',
  validateSearch: NewRecordSearch,
  component: lazyRouteComponent(() => import('./new-record-page.tsx'), 'NewXpPage'),
});

export const xpTableRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'xp/$id',
  validateSearch: RecordSearch,
  component: lazyRouteComponent(() => import('./record-page.tsx'), 'XpTablePage'),
});

export const compareXpRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'xp/$id/compare',
  validateSearch: CompareRecordSearch,
  component: lazyRouteComponent(() => import('./compare-record-page.tsx'), 'CompareXpPage'),
});
