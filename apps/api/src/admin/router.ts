// The admin API's table of contents. apps/web and scripts import the type of this router, nothing else.
import type { AccountServices } from '../accounts/index.ts';
import type { AuditService } from '../audit/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { TryJoin } from '../join/index.ts';
import type { OverviewService } from '../overview/index.ts';
import type { PlayerService } from '../players/index.ts';
import type { CompareService, PromoteService } from '../sandbox-compare/index.ts';
import type { SearchService } from '../search/index.ts';
import type { SessionTypeService } from '../session-types/index.ts';
import type { SessionService } from '../sessions/index.ts';
import type { SystemService } from '../system/index.ts';
import type { VerificationService } from '../verification/index.ts';
import type { AsOfService, VersionService } from '../versions/index.ts';
import { createAccountsRouter } from './accounts-router.ts';
import { createAuditRouter } from './audit-router.ts';
import { createCompareRouter } from './compare-router.ts';
import { createInvitationsRouter } from './invitations-router.ts';
import { createItemsRouter } from './items-router.ts';
import { createKeysRouter } from './keys-router.ts';
import { createMeRouter } from './me-router.ts';
import { createOverviewRouter } from './overview-router.ts';
import { createPeopleRouter } from './people-router.ts';
import { createPlayersRouter } from './players-router.ts';
import { createRecordsRouter } from './records-router.ts';
import { createSandboxesRouter } from './sandboxes-router.ts';
import { createSearchRouter } from './search-router.ts';
import { createSessionTypesRouter } from './session-types-router.ts';
import { createSessionsRouter } from './sessions-router.ts';
import { createSystemRouter } from './system-router.ts';
import { router } from './trpc.ts';
import { createVerificationRouter } from './verification-router.ts';
import { createVersionsRouter } from './versions-router.ts';
import { createXpRouter } from './xp-router.ts';

export type AdminServices = {
  compare: CompareService;
  promotion: PromoteService;
  asOf: AsOfService;
  accounts: AccountServices;
  audit: AuditService;
  catalogue: Catalogue;
  overview: OverviewService;
  players: PlayerService;
  search: SearchService;
  sessions: SessionService;
  sessionTypes: SessionTypeService;
  tryJoin: TryJoin;
  system: SystemService;
  verification: VerificationService;
  versions: VersionService;
};

export const createAdminRouter = (services: AdminServices) =>
  router({
    me: createMeRouter(services.accounts),
    people: createPeopleRouter(services.accounts),
    invitations: createInvitationsRouter(services.accounts),
    keys: createKeysRouter(services.accounts),
    accounts: createAccountsRouter(services.accounts),
    audit: createAuditRouter(services.audit),
    players: createPlayersRouter(services.players),
    sessionTypes: createSessionTypesRouter(services.sessionTypes),
    sessions: createSessionsRouter(services.sessions, services.tryJoin),
    sandboxes: createSandboxesRouter(services.catalogue),
    items: createItemsRouter(services.catalogue),
    xp: createXpRouter(services.catalogue),
    versions: createVersionsRouter(services.versions),
    records: createRecordsRouter(services.asOf),
    compare: createCompareRouter(services.compare, services.promotion),
    overview: createOverviewRouter(services.overview),
    search: createSearchRouter(services.search),
    system: createSystemRouter(services.system),
    verification: createVerificationRouter(services.verification),
  });

export type AdminRouter = ReturnType<typeof createAdminRouter>;
