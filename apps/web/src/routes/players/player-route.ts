import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../router/app-route.tsx';
import { PlayerSearch } from './player-search.ts';

export const playerRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'players/$id',
  validateSearch: PlayerSearch,
  component: lazyRouteComponent(() => import('./player-page.tsx'), 'PlayerPage'),
});
