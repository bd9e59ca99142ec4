export type { ListedPlayer } from './player-list-store.ts';
export { createPlayerListStore } from './player-list-store.ts';
export { createPlayerService, type PlayerService } from './player-service.ts';
export {
  claimLegacyId,
  createPlayerStore,
  type KnownPlayer,
  type PlayerStore,
} from './player-store.ts';
export {
  createPlayerTimelineStore,
  type PlayerEvent,
  type PlayerSeat,
} from './player-timeline-store.ts';
