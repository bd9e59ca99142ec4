// Players for admins and game backends: registration, look-ups and events.
import { Uuid } from '@muster/contract';
import type { Actor } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { KnownPlayer, ListedPlayer, PlayerQuery, PlayerStore } from './player-store.ts';
import type { RefusedJoinRecorder } from './refused-join-recorder.ts';
import type { SessionService } from './session-service.ts';

export type PlayerService = ReturnType<typeof createPlayerService>;

export const createPlayerService = (
  store: PlayerStore,
  { findSession }: Pick<SessionService, 'findSession'>,
  refusedJoins: Pick<RefusedJoinRecorder, 'flush'>,
) => ({
  /** A player with the platforms of the player's seats. Errors: `player_not_found`. */
  getPlayer: async (playerUuid: string): Promise<ListedPlayer & { platforms: string[] }> => {
    const query = { text: playerUuid, uuid: playerUuid, playerId: undefined };
    const [player] = await store.listPlayers(query, null, 1);
    if (!player) throw new ServiceError('player_not_found');
    return { ...player, platforms: await store.listPlatforms(playerUuid) };
  },

  /** Repeating a registration is safe. Errors: `player_id_taken`. */
  registerPlayer: async (actor: Actor, player: KnownPlayer): Promise<KnownPlayer> => {
    await store.registerPlayer(actor, player, new Date());
    const registered = await store.findPlayer(player.playerUuid);
    if (!registered) throw new ServiceError('player_not_found');
    return registered;
  },

  /** Removes the player's expired seats first. A player who was never registered may have refused joins. Errors: `player_not_found`, `player_seated`. */
  deletePlayer: async (actor: Actor, playerUuid: string): Promise<void> => {
    for (
      let name = await store.findLiveSession(playerUuid);
      name;
      name = await store.findLiveSession(playerUuid)
    ) {
      const found = await findSession(name);
      const isLive = found && !found.endedAt;
      if (isLive && found.session.seats.has(playerUuid)) throw new ServiceError('player_seated');
    }
    // Those that wait to be written would outlive the player.
    await refusedJoins.flush();
    await store.deletePlayer(actor, playerUuid, new Date());
  },

  /** The registered players among the UUIDs, to show names where only UUIDs are stored. */
  findPlayers: async (playerUuids: readonly string[]): Promise<KnownPlayer[]> => {
    const found = await Promise.all([...new Set(playerUuids)].map(store.findPlayer));
    return found.filter((player) => player !== undefined);
  },

  /** A page of players, newest first. */
  listPlayers: paged(
    (query: string | undefined, after: Parameters<PlayerStore['listPlayers']>[1], limit) =>
      store.listPlayers(toQuery(query), after, limit),
  ),

  /** The number of matching players; `isExact` is false when there are more than `most`. */
  countPlayers: async (query: string | undefined, most: number) => {
    const count = await store.countPlayers(toQuery(query), most);
    return { count: Math.min(count, most), isExact: count <= most };
  },

  /** A page of a player's seats, newest first, including ended sessions. */
  listSeats: paged(store.listSeats),

  /** A page of a player's events, newest first. */
  listEvents: paged(store.listEvents),
});

/** A page, and whether more entries follow. */
const paged =
  <Subject, After, Row>(list: (subject: Subject, after: After, limit: number) => Promise<Row[]>) =>
  async (subject: Subject, after: After, limit: number) => {
    const found = await list(subject, after, limit + 1);
    return { rows: found.slice(0, limit), hasMore: found.length > limit };
  };

const toQuery = (query: string | undefined): PlayerQuery | null => {
  if (query === undefined) return null;
  const text = query.trim();
  const number = /^-?\d{1,16}$/.test(text) ? Number(text) : undefined;
  return {
    text,
    uuid: Uuid.safeParse(text).data,
    playerId: Number.isSafeInteger(number) ? number : undefined,
  };
};
