import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../router/app-route.tsx';
import { PeopleSearch } from './people-search.ts';

export const peopleRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'people',
  validateSearch: PeopleSearch,
  component: lazyRouteComponent(() => import('./people-page.tsx'), 'PeoplePage'),
});
