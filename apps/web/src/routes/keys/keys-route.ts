import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../router/app-route.tsx';
import { KeysSearch } from './keys-search.ts';

export const keysRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'keys',
  validateSearch: KeysSearch,
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
});
