// The root router of the admin API. apps/web and scripts import only its type.
import type { AccountServices } from '../auth/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type {
  PlayerService,
  SessionService,
  SessionTypeService,
  TryJoin,
} from '../sessions/index.ts';
import {
  createAccountsRouter,
  createInvitationsRouter,
  createKeysRouter,
  createMeRouter,
  createPeopleRouter,
} from './accounts-router.ts';
import type { AuditService } from './audit-router.ts';
import { createAuditRouter } from './audit-router.ts';
import type { OverviewService } from './overview-router.ts';
import { createOverviewRouter, createSearchRouter } from './overview-router.ts';
import { createPlayersRouter } from './players-router.ts';
import { createItemsRouter, createRecordsRouter, createXpRouter } from './records-router.ts';
import { createCompareRouter, createSandboxesRouter } from './sandboxes-router.ts';
import { createSessionsRouter, createSessionTypesRouter } from './sessions-router.ts';
import type { SystemService } from './system-router.ts';
import { createSystemRouter } from './system-router.ts';
import { router } from './trpc.ts';
import { createVerificationRouter, createVersionsRouter } from './versions-router.ts';

type AdminServices = {
  accounts: AccountServices;
  audit: AuditService;
  catalogue: Catalogue;
  overview: OverviewService;
  players: PlayerService;
  sessions: SessionService;
  sessionTypes: SessionTypeService;
  tryJoin: TryJoin;
  system: SystemService;
};

export const createAdminRouter = (services: AdminServices) =>
  router({
    me: createMeRouter(services.accounts),
    people: createPeopleRouter(services.accounts),
    invitations: createInvitationsRouter(services.accounts),
    keys: createKeysRouter(services.accounts),
    accounts: createAccountsRouter(services.accounts, services.catalogue.authors),
    audit: createAuditRouter(services.audit),
    players: createPlayersRouter(services.players),
    sessionTypes: createSessionTypesRouter(services.sessionTypes),
    sessions: createSessionsRouter(services.sessions, services.tryJoin),
    sandboxes: createSandboxesRouter(services.catalogue),
    items: createItemsRouter(services.catalogue),
    xp: createXpRouter(services.catalogue),
    versions: createVersionsRouter(services.catalogue.reader),
    records: createRecordsRouter(services.catalogue.reader),
    compare: createCompareRouter(services.catalogue.compare, services.catalogue.promotion),
    overview: createOverviewRouter(services.overview),
    search: createSearchRouter(services.catalogue.search),
    system: createSystemRouter(services.system),
    verification: createVerificationRouter(services.catalogue.verification),
  });

export type AdminRouter = ReturnType<typeof createAdminRouter>;
