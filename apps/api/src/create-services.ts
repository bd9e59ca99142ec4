// The services behind every route, wired in the order in which they need each other.
import type { Database } from '@muster/database';
import type { AccountServices } from './accounts/index.ts';
import { createAdminRouter } from './admin/index.ts';
import { createAuditListStore, createAuditService, createAuditTargetStore } from './audit/index.ts';
import { createCatalogue } from './catalogue/index.ts';
import type { ReplicaOptions } from './history/index.ts';
import { createHistoryRoutes } from './history/index.ts';
import { createAnswerPublicly, toJoinErrorCode } from './http/index.ts';
import {
  createAnswerJoin,
  createJoinRoutes,
  createJoinService,
  createRefusalStore,
  createTryJoin,
  limitWaitingJoins,
  RefusalRecorder,
} from './join/index.ts';
import type { Metrics, Tracing } from './observability/index.ts';
import type { DatabaseWatch } from './outage/index.ts';
import { createOverviewService, createOverviewStore } from './overview/index.ts';
import {
  createPlayerListStore,
  createPlayerService,
  createPlayerStore,
  createPlayerTimelineStore,
} from './players/index.ts';
import type { RetentionOptions } from './retention/index.ts';
import { createRetention, createRetentionStore } from './retention/index.ts';
import {
  createCompareService,
  createCompareStore,
  createPromoteService,
} from './sandbox-compare/index.ts';
import { createSearchService, createSearchStore } from './search/index.ts';
import { createSessionTypeService, createSessionTypeStore } from './session-types/index.ts';
import {
  createSessionAbsenceStore,
  createSessionAdminStore,
  createSessionListStore,
  createSessionMemory,
  createSessionService,
  createSessionStore,
  createSessionSweeper,
  createSessionSweepStore,
  SessionQueue,
} from './sessions/index.ts';
import { createSystemService, createSystemStore, describeProcess } from './system/index.ts';
import {
  createExportService,
  createExportStore,
  createImportService,
  createImportStore,
} from './transfer/index.ts';
import { createVerificationService, createVerificationStore } from './verification/index.ts';
import {
  createAsOfService,
  createAsOfStore,
  createVersionService,
  createVersionStore,
} from './versions/index.ts';

export type ServicesOptions = {
  accounts: AccountServices;
  database: Database;
  /** For the pages of histories. */
  replica?: ReplicaOptions;
  historyAccess: 'authenticated' | 'public';
  /** Joins that may wait in this process; more are refused at once. */
  maxWaitingJoins: number;
  metrics: Omit<Metrics, 'registry' | 'observeRequest' | 'observeStatement' | 'noteDatabase'>;
  /** True for errors that say that the database does not answer now. */
  isOutage: (error: unknown) => boolean;
  /** Ends the wait for a database that is away. */
  guard: DatabaseWatch['guard'];
  /** Makes a step of the request's trace; absent where nothing is traced. */
  trace?: Tracing['trace'];
  /** Hears why the sweeper ended a sweep early. */
  onSweepFailure: (error: unknown) => void;
  retention: Pick<RetentionOptions, 'rules' | 'onDeleted' | 'onFailure'>;
  now?: () => Date;
};

export const createServices = ({
  accounts,
  database,
  replica,
  historyAccess,
  maxWaitingJoins,
  metrics,
  isOutage,
  guard,
  onSweepFailure,
  retention,
  trace = (_, work) => work(),
  ...clock
}: ServicesOptions) => {
  const playerStore = createPlayerStore(database);
  const players = createPlayerService({
    store: playerStore,
    listStore: createPlayerListStore(database),
    timelineStore: createPlayerTimelineStore(database),
    ...clock,
  });
  const sessionTypes = createSessionTypeService(createSessionTypeStore(database), clock.now);

  const sessionStore = createSessionStore(database, { onBatch: metrics.observeWriteBatch });
  const memory = createSessionMemory();
  const queue = new SessionQueue({
    ...{ store: sessionStore, memory },
    onLook: metrics.observeCache('sessions', memory.count),
    onConflict: metrics.countWriteConflict,
    onDecided: metrics.countDecision,
    ...clock,
  });
  metrics.observeQueue(() => queue.waiting);
  const sessions = createSessionService({
    store: sessionStore,
    adminStore: createSessionAdminStore(database),
    listStore: createSessionListStore(database),
    absenceStore: createSessionAbsenceStore(database),
    queue,
    findDefaultTeams: async (type) => (await sessionTypes.findType(type))?.default_teams ?? [],
    registerPlayer: playerStore.registerUuid,
    ...clock,
  });

  const refusals = new RefusalRecorder(createRefusalStore(database), {
    countRecorded: metrics.countRefusalsRecorded,
    countDropped: metrics.countRefusalsDropped,
  });
  const joinService = createJoinService({
    ...{ sessions: sessionStore, players: playerStore, queue, refusals, guard },
    observeCache: (countEntries) => metrics.observeCache('platform_sessions', countEntries),
    ...clock,
  });
  const joins = limitWaitingJoins(joinService, maxWaitingJoins);
  const tracedJoins: typeof joinService = {
    join: (caller, input) => trace('join', () => joins.join(caller, input)),
  };
  const sweeper = createSessionSweeper({
    ...{ store: createSessionSweepStore(database), queue, counters: metrics },
    onFailure: onSweepFailure,
    ...clock,
  });
  const retentionJob = createRetention({
    ...{ store: createRetentionStore(database), rules: retention.rules },
    onDeleted: retention.onDeleted,
    countDeleted: metrics.countRetentionDeleted,
    onFailure: (error) => {
      metrics.countRetentionFailure();
      retention.onFailure(error);
    },
    ...clock,
  });
  const answerJoin = createAnswerJoin({
    joins: tracedJoins,
    countOutcome: metrics.countJoinOutcome,
    nameFailure: (error) => toJoinErrorCode(error, isOutage),
  });
  const answerPublicly = createAnswerPublicly(isOutage);
  const tryJoin = createTryJoin({ answerJoin, answerPublicly, ...clock });
  const asOf = createAsOfService(createAsOfStore(database));
  const audit = createAuditService(
    createAuditListStore(database),
    createAuditTargetStore(database),
  );
  const catalogue = createCatalogue({ database, ...clock });
  const compareStore = createCompareStore(database);
  const { write } = catalogue;
  const promotion = createPromoteService({ store: compareStore, write, ...clock });
  const overview = createOverviewService(createOverviewStore(database));
  const search = createSearchService(createSearchStore(database));
  const system = createSystemService({
    store: createSystemStore(database),
    service: describeProcess(new Date()),
    metrics,
  });
  const verification = createVerificationService(createVerificationStore(database));
  const versions = createVersionService(createVersionStore(database));

  return {
    adminRouter: createAdminRouter({
      accounts,
      asOf,
      audit,
      catalogue,
      compare: createCompareService(compareStore),
      overview,
      players,
      promotion,
      search,
      sessions,
      sessionTypes,
      system,
      tryJoin,
      verification,
      versions,
    }),
    routes: {
      ...createHistoryRoutes({
        ...{ database, access: historyAccess, guard },
        ...(replica && { replica }),
      }),
      ...createJoinRoutes(answerJoin),
    },
    retention: retentionJob,
    sweeper,
    countWaitingJoins: joins.count,
    transfer: {
      exports: createExportService(createExportStore(database)),
      imports: createImportService(createImportStore(database), catalogue.writePlanned),
    },
    /** Resolves when what is still to be written in the background is written. */
    finish: () => refusals.flush(),
  };
};
