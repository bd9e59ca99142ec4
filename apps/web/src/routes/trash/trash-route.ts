import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { sandboxRoute } from '../sandbox/sandbox-route.tsx';
import { TrashSearch } from './trash-search.ts';

export const trashRoute = createRoute({
  getParentRoute: () => sandboxRoute,
  path: 'trash',
  validateSearch: TrashSearch,
  component: lazyRouteComponent(() => import('./trash-page.tsx'), 'TrashPage'),
});
