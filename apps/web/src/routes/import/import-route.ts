import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { sandboxRoute } from '../sandbox/sandbox-route.tsx';
import { ImportSearch } from './import-search.ts';

export const importRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'import',
  validateSearch: ImportSearch,
  component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
});
