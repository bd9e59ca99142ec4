// All routes of the app, and how it moves between them.
import { createRouter } from '@tanstack/react-router';
import { PageError } from '../components/page/page-error.tsx';
import { PageNotFound } from '../components/page/page-not-found.tsx';
import { PagePending } from '../components/page/page-pending.tsx';
import { auditRoute } from '../routes/audit/audit-route.ts';
import { compareSandboxesRoute } from '../routes/compare-sandboxes/compare-sandboxes-route.ts';
import { historyRoute } from '../routes/history/history-route.ts';
import { homeRoute } from '../routes/home/home-route.ts';
import { importRoute } from '../routes/import/import-route.ts';
import { inviteRoute } from '../routes/invite/invite-route.ts';
import { keysRoute } from '../routes/keys/keys-route.ts';
import { loginRoute } from '../routes/login/login-route.ts';
import { overviewRoute } from '../routes/overview/overview-route.ts';
import { peopleRoute } from '../routes/people/people-route.ts';
import { playerRoute } from '../routes/players/player-route.ts';
import { playersRoute } from '../routes/players/players-route.ts';
import { publicRoute } from '../routes/public/public-route.ts';
import {
  compareItemRoute,
  itemRoute,
  itemsRoute,
  newItemRoute,
} from '../routes/records/items-routes.ts';
import { compareXpRoute, newXpRoute, xpRoute, xpTableRoute } from '../routes/records/xp-routes.ts';
import { sandboxRoute } from '../routes/sandbox/sandbox-route.tsx';
import { sessionTypesRoute } from '../routes/session-types/session-types-route.ts';
import { newSessionRoute } from '../routes/sessions/new-session-route.ts';
import { sessionRoute } from '../routes/sessions/session-route.ts';
import { sessionsRoute } from '../routes/sessions/sessions-route.ts';
import { tryItRoute } from '../routes/sessions/try-it-route.ts';
import { settingsRoute } from '../routes/settings/settings-route.ts';
import { systemRoute } from '../routes/system/system-route.ts';
import { trashRoute } from '../routes/trash/trash-route.ts';
import { appRoute } from './app-route.tsx';
import { rootRoute } from './root-route.ts';
import { RouterFrame } from './router-frame.tsx';

const sandboxRoutes = sandboxRoute.addChildren([
  overviewRoute,
  itemsRoute,
  newItemRoute,
  itemRoute,
  compareItemRoute,
  xpRoute,
  newXpRoute,
  xpTableRoute,
  compareXpRoute,
  historyRoute,
  importRoute,
  trashRoute,
  compareSandboxesRoute,
  publicRoute,
]);

const appRoutes = appRoute.addChildren([
  homeRoute,
  sandboxRoutes,
  sessionsRoute,
  newSessionRoute,
  tryItRoute,
  sessionRoute,
  sessionTypesRoute,
  playersRoute,
  playerRoute,
  keysRoute,
  peopleRoute,
  auditRoute,
  systemRoute,
  settingsRoute,
]);

export const router = createRouter({
  routeTree: rootRoute.addChildren([loginRoute, inviteRoute, appRoutes]),
  InnerWrap: RouterFrame,
  defaultPreload: 'intent',
  // TanStack Query knows what is fresh; the router only says when to look.
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: PageNotFound,
  defaultPendingComponent: PagePending,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
