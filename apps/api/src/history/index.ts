// The histories: the two public lists of versions, one of Items and one of Xp tables.
export { createHistoryRoutes, type HistoryRouteOptions } from './history-route.ts';
export type { ReplicaOptions } from './replica-store.ts';
