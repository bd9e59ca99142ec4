// The services behind every route, wired in the order in which they need each other.
import type { Database } from '@muster/database';
import { createAdminRouter } from './admin/index.ts';
import { createCatalogue } from './catalogue/index.ts';
import { createHistoryRoutes } from './history/index.ts';
import {
  createJoinRoutes,
  createJoinService,
  createRefusalStore,
  RefusalRecorder,
} from './join/index.ts';
import { createPlayerService, createPlayerStore } from './players/index.ts';
import { createSessionTypeService, createSessionTypeStore } from './session-types/index.ts';
import {
  createSessionAdminStore,
  createSessionService,
  createSessionStore,
  SessionQueue,
} from './sessions/index.ts';

export type ServicesOptions = {
  database: Database;
  historyAccess: 'authenticated' | 'public';
  metrics: {
    countJoinOutcome(outcome: string): void;
    countRefusalsRecorded(count: number): void;
    countRefusalsDropped(count: number): void;
  };
  now?: () => Date;
};

export const createServices = ({ database, historyAccess, metrics, ...clock }: ServicesOptions) => {
  const playerStore = createPlayerStore(database);
  const players = createPlayerService(playerStore, clock.now);
  const sessionTypes = createSessionTypeService(createSessionTypeStore(database), clock.now);

  const sessionStore = createSessionStore(database);
  const queue = new SessionQueue({ store: sessionStore, ...clock });
  const sessions = createSessionService({
    store: sessionStore,
    adminStore: createSessionAdminStore(database),
    queue,
    findDefaultTeams: async (type) => (await sessionTypes.findType(type))?.default_teams ?? [],
    registerPlayer: playerStore.registerUuid,
    ...clock,
  });

  const refusals = new RefusalRecorder(createRefusalStore(database), {
    countRecorded: metrics.countRefusalsRecorded,
    countDropped: metrics.countRefusalsDropped,
  });
  const joins = createJoinService({
    ...{ sessions: sessionStore, players: playerStore, queue, refusals },
    ...clock,
  });
  const catalogue = createCatalogue({ database, ...clock });

  return {
    adminRouter: createAdminRouter({ catalogue, players, sessions, sessionTypes }),
    routes: {
      ...createHistoryRoutes({ database, access: historyAccess }),
      ...createJoinRoutes({ joins, countOutcome: metrics.countJoinOutcome }),
    },
    /** Resolves when what is still to be written in the background is written. */
    finish: () => refusals.flush(),
  };
};
