import type { Actor } from '../audit/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { KnownPlayer, PlayerRegistration, PlayerStore } from './player-store.ts';

export type PlayerService = ReturnType<typeof createPlayerService>;

export const createPlayerService = (store: PlayerStore, now = () => new Date()) => {
  const getPlayer = async (playerUuid: string): Promise<KnownPlayer> => {
    const player = await store.findPlayer(playerUuid);
    if (!player) throw new ServiceError('player_not_found');
    return player;
  };

  return {
    getPlayer,

    /** Makes a player known; repeating it is safe. Errors: `player_id_taken`. */
    registerPlayer: async (actor: Actor, player: PlayerRegistration): Promise<KnownPlayer> => {
      await store.registerPlayer(actor, player, now());
      return getPlayer(player.playerUuid);
    },
  };
};
