import { Integer, text, Uuid } from '@muster/contract';
import { z } from 'zod';
import type {
  KnownPlayer,
  ListedPlayer,
  PlayerEvent,
  PlayerSeat,
  PlayerService,
} from '../players/index.ts';
import {
  decodeCursor,
  encodeCursor,
  MAX_COUNTED,
  Milliseconds,
  pageInput,
  toCountView,
  toPageMeta,
} from './paging.ts';
import { permittedProcedure, router } from './trpc.ts';

const PlayerInput = z.object({ player_uuid: Uuid });
const PageOfPlayerInput = z.object({ player_uuid: Uuid, ...pageInput });
const PlayerNamesInput = z.object({ player_uuids: z.array(Uuid).max(200) });
const CountPlayersInput = z.object({ query: text(1, 256).optional() });
const ListPlayersInput = CountPlayersInput.extend(pageInput);
const RegisterPlayerInput = z.object({
  player_uuid: Uuid,
  player_id: Integer.optional(),
  display_name: text(1, 128).optional(),
});

/** Where a page ended: a moment and an id. */
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

    get: view.input(PlayerInput).query(async ({ input }) => {
      const player = await players.getPlayer(input.player_uuid);
      return { ...toListView(player), platforms: player.platforms };
    }),

    /** The names behind these UUIDs; strangers are left out. */
    names: view.input(PlayerNamesInput).query(async ({ input }) => ({
      players: (await players.findPlayers(input.player_uuids)).map(toView),
    })),

    list: view.input(ListPlayersInput).query(async ({ input }) => {
      const { query, page_size: size } = input;
      const [at, playerUuid] = decodeCursor(input.cursor, Position) ?? [];
      const after = playerUuid ? { registeredAt: new Date(at ?? 0), playerUuid } : null;
      const { rows, hasMore } = await players.listPlayers(query, after, size);
      const last = hasMore ? rows.at(-1) : undefined;
      const cursor = last ? encodeCursor([last.registeredAt.getTime(), last.playerUuid]) : null;
      return { players: rows.map(toListView), page_meta: toPageMeta(size, cursor) };
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
      const { rows, hasMore } = await players.listSeats(playerUuid, after, size);
      const last = hasMore ? rows.at(-1) : undefined;
      const cursor = last ? encodeCursor([last.seated_at.getTime(), last.session_key]) : null;
      return { seats: rows.map(toSeatView), page_meta: toPageMeta(size, cursor) };
    }),

    events: view.input(PageOfPlayerInput).query(async ({ input }) => {
      const { player_uuid: playerUuid, page_size: size } = input;
      const after = decodeCursor(input.cursor, Uuid);
      const { rows, hasMore } = await players.listEvents(playerUuid, after, size);
      const last = hasMore ? rows.at(-1) : undefined;
      const cursor = last ? encodeCursor(last.event_id) : null;
      return { events: rows.map(toEventView), page_meta: toPageMeta(size, cursor) };
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
