// The root router of the admin API. apps/web and scripts import only its type.
import type { AccountServices } from '../auth/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { EventFeed } from '../events/index.ts';
import type { Maintenance } from '../operations/index.ts';
import type {
  PlayerService,
  RefusedJoins,
  SessionService,
  SessionTypeService,
  TryJoin,
} from '../sessions/index.ts';
import type { WebhookService } from '../webhooks/index.ts';
import {
  createAccountsRouter,
  createInvitationsRouter,
  createKeysRouter,
  createMeRouter,
  createPeopleRouter,
} from './accounts-router.ts';
import type { AuditService } from './audit-router.ts';
import { createAuditRouter } from './audit-router.ts';
import { createApplyProcedure, createChangeSetsRouter } from './change-sets-router.ts';
import { createEditsRouter } from './edits-router.ts';
import { createEventsRouter } from './events-router.ts';
import { createItemSchemasRouter } from './item-schemas-router.ts';
import { createMaintenanceRouter } from './maintenance-router.ts';
import type { OverviewService } from './overview-router.ts';
import { createOverviewRouter, createSearchRouter } from './overview-router.ts';
import { createPlayersRouter } from './players-router.ts';
import { createItemsRouter, createRecordsRouter, createXpRouter } from './records-router.ts';
import { createRefusedJoinsRouter } from './refused-joins-router.ts';
import { createCompareRouter, createSandboxesRouter } from './sandboxes-router.ts';
import { createSessionsRouter, createSessionTypesRouter } from './sessions-router.ts';
import type { SystemService } from './system-router.ts';
import { createSystemRouter } from './system-router.ts';
import { router } from './trpc.ts';
import { createVerificationRouter, createVersionsRouter } from './versions-router.ts';
import { createViewsRouter } from './views-router.ts';
import { createWebhooksRouter } from './webhooks-router.ts';

type AdminServices = {
  accounts: AccountServices;
  audit: AuditService;
  catalogue: Catalogue;
  events: EventFeed;
  maintenance: Maintenance;
  overview: OverviewService;
  players: PlayerService;
  refusedJoins: Pick<RefusedJoins, 'list'>;
  sessions: SessionService;
  sessionTypes: SessionTypeService;
  tryJoin: TryJoin;
  system: SystemService;
  webhooks: WebhookService;
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
    refusedJoins: createRefusedJoinsRouter(services.refusedJoins),
    sessionTypes: createSessionTypesRouter(services.sessionTypes),
    sessions: createSessionsRouter(services.sessions, services.tryJoin),
    events: createEventsRouter(services.events),
    webhooks: createWebhooksRouter(services.webhooks),
    sandboxes: createSandboxesRouter(services.catalogue),
    items: createItemsRouter(services.catalogue),
    xp: createXpRouter(services.catalogue),
    itemSchemas: createItemSchemasRouter(services.catalogue),
    versions: createVersionsRouter(services.catalogue.reader),
    edits: createEditsRouter(services.catalogue),
    changeSets: createChangeSetsRouter(services.catalogue),
    'changeSets.apply': createApplyProcedure(services.catalogue),
    views: createViewsRouter(services.catalogue),
    records: createRecordsRouter(services.catalogue.reader),
    compare: createCompareRouter(services.catalogue.compare),
    overview: createOverviewRouter(services.overview),
    search: createSearchRouter(services.catalogue.search),
    maintenance: createMaintenanceRouter(services.maintenance),
    system: createSystemRouter(services.system),
    verification: createVerificationRouter(services.catalogue.verification),
  });

export type AdminRouter = ReturnType<typeof createAdminRouter>;
