export { createPlayerService, type PlayerService } from './player-service.ts';
export {
  claimLegacyId,
  createPlayerStore,
  type KnownPlayer,
  type PlayerStore,
} from './player-store.ts';
