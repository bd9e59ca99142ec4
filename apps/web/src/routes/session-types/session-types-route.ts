import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../router/app-route.tsx';
import { SessionTypesSearch } from './session-types-search.ts';

export const sessionTypesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'session-types',
  validateSearch: SessionTypesSearch,
  component: lazyRouteComponent(() => import('./session-types-page.tsx'), 'SessionTypesPage'),
});
