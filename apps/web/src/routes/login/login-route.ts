import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../router/root-route.ts';
import { LoginSearch } from './login-search.ts';

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'login',
  validateSearch: LoginSearch,
  component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
});
