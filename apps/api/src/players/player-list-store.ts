// The admin's list of players, newest first, and what one player's identities are.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { KnownPlayer } from './player-store.ts';

export type ListedPlayer = KnownPlayer & { registeredAt: Date };

/** Where a page ended: neither part of it ever changes. */
export type PlayerPosition = { registeredAt: Date; playerUuid: string };

/** What people paste or remember: a UUID, a legacy id, or a part of the display name. */
export type PlayerQuery = {
  text: string;
  uuid: string | undefined;
  playerId: number | undefined;
};

type Row = {
  player_uuid: string;
  display_name: string | null;
  player_id: number | null;
  registered_at: Date;
};

const toListedPlayer = (row: Row): ListedPlayer => ({
  playerUuid: row.player_uuid,
  ...(row.player_id !== null && { playerId: row.player_id }),
  ...(row.display_name !== null && { displayName: row.display_name }),
  registeredAt: row.registered_at,
});

/** Platforms that the player's seats were taken from. */
const LIST_PLATFORMS = {
  name: 'list_platforms_of_player',
  text: `
    SELECT DISTINCT platform FROM session_seat
    WHERE player_uuid = $1::uuid AND platform IS NOT NULL ORDER BY platform`,
};

export type PlayerListStore = ReturnType<typeof createPlayerListStore>;

export const createPlayerListStore = ({ pool }: Pick<Database, 'pool'>) => ({
  /** Newest first, those after `after` in that order. */
  listPlayers: async (
    query: PlayerQuery | null,
    after: PlayerPosition | null,
    limit: number,
  ): Promise<ListedPlayer[]> => {
    const { text, values } = listStatement(query, after, limit);
    // Without a name it is planned for its values: a common name and a rare one want different indexes.
    return (await runPrepared<Row>(pool, { name: '', text }, values)).map(toListedPlayer);
  },

  /** How many match, counted up to `most + 1`. */
  countPlayers: async (query: PlayerQuery | null, most: number): Promise<number> => {
    const list = listStatement(query, null, most + 1);
    const text = `SELECT count(*)::int AS count FROM (${list.text}) found`;
    const [row] = await runPrepared<{ count: number }>(pool, { name: '', text }, list.values);
    return row?.count ?? 0;
  },

  findPlayer: async (playerUuid: string): Promise<ListedPlayer | null> => {
    const text = `${SELECT_PLAYERS} WHERE p.player_uuid = $1::uuid`;
    const [row] = await runPrepared<Row>(pool, { name: 'find_listed_player', text }, [playerUuid]);
    return row ? toListedPlayer(row) : null;
  },

  listPlatforms: async (playerUuid: string): Promise<string[]> =>
    (await runPrepared<{ platform: string }>(pool, LIST_PLATFORMS, [playerUuid])).map(
      ({ platform }) => platform,
    ),
});

const SELECT_PLAYERS = `
  SELECT p.player_uuid, p.display_name, p.registered_at, l.player_id
  FROM player p LEFT JOIN player_legacy_id l USING (player_uuid)`;

export const listStatement = (
  query: PlayerQuery | null,
  after: PlayerPosition | null,
  limit: number,
): { text: string; values: unknown[] } => {
  const values: unknown[] = [];
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const predicates = ['true'];
  if (after) {
    const at = bind(after.registeredAt, 'timestamptz');
    const uuid = bind(after.playerUuid, 'uuid');
    predicates.push(
      `p.registered_at <= ${at} AND (p.registered_at < ${at} OR p.player_uuid > ${uuid})`,
    );
  }
  if (query) predicates.push(`p.player_uuid IN (${matching(query, bind)})`);
  const text = `${SELECT_PLAYERS} WHERE ${predicates.join(' AND ')}
    ORDER BY p.registered_at DESC, p.player_uuid LIMIT ${bind(limit, 'int')}`;
  return { text, values };
};

/** Each way of meaning a player has an index of its own. */
const matching = (
  { text, uuid, playerId }: PlayerQuery,
  bind: (value: unknown, type: string) => string,
): string => {
  if (uuid !== undefined) return bind(uuid, 'uuid');
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const named = `SELECT n.player_uuid FROM player n WHERE n.display_name ILIKE ${bind(pattern, 'text')}`;
  if (playerId === undefined) return named;
  const held = `SELECT h.player_uuid FROM player_legacy_id h WHERE h.player_id = ${bind(playerId, 'bigint')}`;
  return `${named} UNION ALL ${held}`;
};
