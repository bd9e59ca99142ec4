import { createRoute, Outlet } from '@tanstack/react-router';
import { lastSandbox } from '../../preferences/last-sandbox.ts';
import { appRoute } from '../../router/app-route.tsx';

/** The parent of every page of one sandbox; `$sandbox` is its id. */
export const sandboxRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 's/$sandbox',
  beforeLoad: ({ params }) => lastSandbox.set(params.sandbox),
  component: Outlet,
});
