import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../router/app-route.tsx';
import { PlayersSearch } from './players-search.ts';

export const playersRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'players',
  validateSearch: PlayersSearch,
  component: lazyRouteComponent(() => import('./players-page.tsx'), 'PlayersPage'),
});
