import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../router/app-route.tsx';
import { TryItSearch } from './try-it-search.ts';

export const tryItRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'sessions/try-it',
  validateSearch: TryItSearch,
  component: lazyRouteComponent(() => import('./try-it-page.tsx'), 'TryItPage'),
});
