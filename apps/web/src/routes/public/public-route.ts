import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { sandboxRoute } from '../sandbox/sandbox-route.tsx';
import { PublicSearch } from './public-search.ts';

export const publicRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'public',
  validateSearch: PublicSearch,
  component: lazyRouteComponent(() => import('./public-page.tsx'), 'PublicPage'),
});
