import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { sandboxRoute } from '../sandbox/sandbox-route.tsx';
import { CompareSandboxesSearch } from './compare-sandboxes-search.ts';

export const compareSandboxesRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'compare-sandboxes',
  validateSearch: CompareSandboxesSearch,
  component: lazyRouteComponent(
    () => import('./compare-sandboxes-page.tsx'),
    'CompareSandboxesPage',
  ),
});
