import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../router/app-route.tsx';
import { SettingsSearch } from './settings-search.ts';

export const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'settings',
  validateSearch: SettingsSearch,
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
});
