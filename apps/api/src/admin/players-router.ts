import { Integer, text, Uuid } from '@muster/contract';
import { z } from 'zod';
import type { KnownPlayer, PlayerService } from '../players/index.ts';
import { permittedProcedure, router } from './trpc.ts';

const toView = ({ playerUuid, playerId, displayName }: KnownPlayer) => ({
  player_uuid: playerUuid,
  ...(playerId !== undefined && { player_id: playerId }),
  ...(displayName !== undefined && { display_name: displayName }),
});

export const createPlayersRouter = (players: PlayerService) =>
  router({
    register: permittedProcedure('player:*')
      .input(
        z.object({
          player_uuid: Uuid,
          player_id: Integer.optional(),
          display_name: text(1, 128).optional(),
        }),
      )
      .mutation(async ({ ctx, input }) => {
        const { player_uuid: playerUuid, player_id: playerId, display_name: displayName } = input;
        const player = await players.registerPlayer(ctx.actor, {
          playerUuid,
          ...(playerId !== undefined && { playerId }),
          ...(displayName !== undefined && { displayName }),
        });
        return toView(player);
      }),

    get: permittedProcedure('player:view')
      .input(z.object({ player_uuid: Uuid }))
      .query(async ({ input }) => toView(await players.getPlayer(input.player_uuid))),
  });
