// Registered players: their names, seats and events.
import { boundedList, Integer, newName, text, Uuid } from '@muster/contract';
import { z } from 'zod';
import type {
  KnownPlayer,
  ListedPlayer,
  PlayerEvent,
  PlayerSeat,
  PlayerService,
} from '../sessions/index.ts';
import {
  decodeCursor,
  MAX_COUNTED,
  Milliseconds,
  pageInput,
  toCountView,
  toPageMetaOf,
} from './pagination.ts';
import { permittedProcedure, router } from './trpc.ts';

const PlayerInput = z.object({ player_uuid: Uuid });
const PageOfPlayerInput = z.object({ player_uuid: Uuid, ...pageInput });
const PlayerNamesInput = z.object({ player_uuids: boundedList(Uuid, { max: 200 }) });
const CountPlayersInput = z.object({ query: text(1, 256).optional() });
const ListPlayersInput = CountPlayersInput.extend(pageInput);
const RegisterPlayerInput = z.object({
  player_uuid: Uuid,
  player_id: Integer.optional(),
  display_name: newName(128).optional(),
});

/** The last entry of a page: a time and an id. */
const Position = z.tuple([Milliseconds, Uuid]);

export const createPlayersRouter = (players: PlayerService) => {
  const view = permittedProcedure('player:view');
  return router({
    register: permittedProcedure('player:*')
      .input(RegisterPlayerInput)
      .mutation(async ({ ctx, input }) => {
        const { player_uuid: playerUuid, player_id: playerId, display_name: displayName } = input;
        const player = await players.registerPlayer(ctx.actor, {
          playerUuid,
          ...(playerId !== undefined && { playerId }),
          ...(displayName !== undefined && { displayName }),
        });
        return toView(player);
      }),

    delete: permittedProcedure('player:*')
      .input(PlayerInput)
      .mutation(async ({ ctx, input }) => {
        await players.deletePlayer(ctx.actor, input.player_uuid);
        return { deleted: true as const };
      }),

    get: view.input(PlayerInput).query(async ({ input }) => {
      const player = await players.getPlayer(input.player_uuid);
      return { ...toListView(player), platforms: player.platforms };
    }),

    /** The names of these players; unregistered ones are left out. */
    names: view.input(PlayerNamesInput).query(async ({ input }) => ({
      players: (await players.findPlayers(input.player_uuids)).map(toView),
    })),

    list: view.input(ListPlayersInput).query(async ({ input }) => {
      const { query, page_size: size } = input;
      const [at, playerUuid] = decodeCursor(input.cursor, Position) ?? [];
      const after = playerUuid ? { registeredAt: new Date(at ?? 0), playerUuid } : null;
      const page = await players.listPlayers(query, after, size);
      const page_meta = toPageMetaOf(size, page, (player) => [
        player.registeredAt.getTime(),
        player.playerUuid,
      ]);
      return { players: page.rows.map(toListView), page_meta };
    }),

    count: view
      .input(CountPlayersInput)
      .query(async ({ input }) =>
        toCountView(await players.countPlayers(input.query, MAX_COUNTED)),
      ),

    sessions: view.input(PageOfPlayerInput).query(async ({ input }) => {
      const { player_uuid: playerUuid, page_size: size } = input;
      const [at, sessionKey] = decodeCursor(input.cursor, Position) ?? [];
      const after = sessionKey ? { seatedAt: new Date(at ?? 0), sessionKey } : null;
      const page = await players.listSeats(playerUuid, after, size);
      const page_meta = toPageMetaOf(size, page, (seat) => [
        seat.seated_at.getTime(),
        seat.session_key,
      ]);
      return { seats: page.rows.map(toSeatView), page_meta };
    }),

    events: view.input(PageOfPlayerInput).query(async ({ input }) => {
      const { player_uuid: playerUuid, page_size: size } = input;
      const after = decodeCursor(input.cursor, Uuid);
      const page = await players.listEvents(playerUuid, after, size);
      const page_meta = toPageMetaOf(size, page, (event) => event.event_id);
      return { events: page.rows.map(toEventView), page_meta };
    }),
  });
};

const toView = ({ playerUuid, playerId, displayName }: KnownPlayer) => ({
  player_uuid: playerUuid,
  ...(playerId !== undefined && { player_id: playerId }),
  ...(displayName !== undefined && { display_name: displayName }),
});

const toListView = (player: ListedPlayer) => ({
  ...toView(player),
  registered: player.registeredAt.toISOString(),
});

const toSeatView = (seat: PlayerSeat) => ({
  type: seat.type,
  session_id: seat.session_id,
  team_id: seat.team_id,
  status: seat.status,
  ...(seat.platform !== null && { platform: seat.platform }),
  ...(seat.client_version !== null && { version: seat.client_version }),
  ...(seat.invited_at && { invited: seat.invited_at.toISOString() }),
  ...(seat.joined_at && { joined: seat.joined_at.toISOString() }),
  ...(seat.absent_since && { absent_since: seat.absent_since.toISOString() }),
  ...(seat.ended_at && { session_ended: seat.ended_at.toISOString() }),
});

const toEventView = (event: PlayerEvent) => ({
  event_id: event.event_id,
  occurred_at: event.occurred_at.toISOString(),
  kind: event.kind,
  account_id: event.account_id,
  type: event.type,
  session_id: event.session_id,
  ...(event.session_version !== null && { session_version: event.session_version }),
  ...(event.detail !== null && { detail: event.detail }),
});
