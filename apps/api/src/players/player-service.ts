import type { Actor } from '../audit/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type {
  ListedPlayer,
  PlayerListStore,
  PlayerPosition,
  PlayerQuery,
} from './player-list-store.ts';
import type { KnownPlayer, PlayerRegistration, PlayerStore } from './player-store.ts';
import type {
  PlayerEvent,
  PlayerSeat,
  PlayerTimelineStore,
  SeatPosition,
} from './player-timeline-store.ts';

export type PlayerService = ReturnType<typeof createPlayerService>;

export type PlayerServiceOptions = {
  store: PlayerStore;
  listStore: PlayerListStore;
  timelineStore: PlayerTimelineStore;
  now?: () => Date;
};

/** A page, and whether there is more behind it. */
export type Page<Row> = { rows: Row[]; hasMore: boolean };

const toPage = <Row>(found: Row[], limit: number): Page<Row> => ({
  rows: found.slice(0, limit),
  hasMore: found.length > limit,
});

export const createPlayerService = (options: PlayerServiceOptions) => {
  const { store, listStore, timelineStore, now = () => new Date() } = options;
  return {
    /** A player with the platforms that the player's seats were taken from. Errors: `player_not_found`. */
    getPlayer: async (playerUuid: string): Promise<ListedPlayer & { platforms: string[] }> => {
      const player = await listStore.findPlayer(playerUuid);
      if (!player) throw new ServiceError('player_not_found');
      return { ...player, platforms: await listStore.listPlatforms(playerUuid) };
    },

    /** Makes a player known; repeating it is safe. Errors: `player_id_taken`. */
    registerPlayer: async (actor: Actor, player: PlayerRegistration): Promise<KnownPlayer> => {
      await store.registerPlayer(actor, player, now());
      const known = await store.findPlayer(player.playerUuid);
      if (!known) throw new ServiceError('player_not_found');
      return known;
    },

    /** Those of the players that are known; for showing names where only UUIDs are stored. */
    findPlayers: async (playerUuids: readonly string[]): Promise<KnownPlayer[]> => {
      const found = await Promise.all([...new Set(playerUuids)].map(store.findPlayer));
      return found.filter((player) => player !== undefined);
    },

    /** A page of players, newest first. */
    listPlayers: async (
      query: string | undefined,
      after: PlayerPosition | null,
      limit: number,
    ): Promise<Page<ListedPlayer>> =>
      toPage(await listStore.listPlayers(toTerm(query), after, limit + 1), limit),

    /** How many players match; `isExact` is false where there are more than `most`. */
    countPlayers: async (query: string | undefined, most: number) => {
      const count = await listStore.countPlayers(toTerm(query), most);
      return { count: Math.min(count, most), isExact: count <= most };
    },

    /** A page of a player's seats, newest first; of ended sessions too. */
    listSeats: async (
      playerUuid: string,
      after: SeatPosition | null,
      limit: number,
    ): Promise<Page<PlayerSeat>> =>
      toPage(await timelineStore.listSeats(playerUuid, after, limit + 1), limit),

    /** A page of what happened to a player, newest first. */
    listEvents: async (
      playerUuid: string,
      after: string | null,
      limit: number,
    ): Promise<Page<PlayerEvent>> =>
      toPage(await timelineStore.listEvents(playerUuid, after, limit + 1), limit),
  };
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const toTerm = (query: string | undefined): PlayerQuery | null =>
  query === undefined ? null : toQuery(query.trim());

const toQuery = (text: string): PlayerQuery => {
  const number = /^-?\d{1,16}$/.test(text) ? Number(text) : undefined;
  return {
    text,
    uuid: UUID.test(text) ? text.toLowerCase() : undefined,
    playerId: Number.isSafeInteger(number) ? number : undefined,
  };
};
