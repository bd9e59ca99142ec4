// The histories: the two public lists of versions, one of Items and one of Xp tables.
export {
  createHistoryRoutes,
  type HistoryRouteOptions,
  type HistoryRoutes,
} from './history-route.ts';
