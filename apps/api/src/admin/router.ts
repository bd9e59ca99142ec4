// The admin API's table of contents. apps/web and scripts import the type of this router, nothing else.
import type { Catalogue } from '../catalogue/index.ts';
import type { PlayerService } from '../players/index.ts';
import type { SessionTypeService } from '../session-types/index.ts';
import type { SessionService } from '../sessions/index.ts';
import { createItemsRouter } from './items-router.ts';
import { createPlayersRouter } from './players-router.ts';
import { createSandboxesRouter } from './sandboxes-router.ts';
import { createSessionTypesRouter } from './session-types-router.ts';
import { createSessionsRouter } from './sessions-router.ts';
import { router } from './trpc.ts';
import { createXpRouter } from './xp-router.ts';

export type AdminServices = {
  catalogue: Catalogue;
  players: PlayerService;
  sessions: SessionService;
  sessionTypes: SessionTypeService;
};

export const createAdminRouter = (services: AdminServices) =>
  router({
    players: createPlayersRouter(services.players),
    sessionTypes: createSessionTypesRouter(services.sessionTypes),
    sessions: createSessionsRouter(services.sessions),
    sandboxes: createSandboxesRouter(services.catalogue),
    items: createItemsRouter(services.catalogue),
    xp: createXpRouter(services.catalogue),
  });

export type AdminRouter = ReturnType<typeof createAdminRouter>;
