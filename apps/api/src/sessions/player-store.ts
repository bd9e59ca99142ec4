// Players: registration, legacy ids, and the pages about them in the admin API.
import type { PlayerStatus } from '@muster/contract';
import type { Database, Prisma } from '@muster/database';
import { groupByNode, groupByShard, runPrepared } from '@muster/database';
import { createBatcher } from '../flow/index.ts';
import type { Actor } from '../platform/index.ts';
import { appendAudit, ServiceError } from '../platform/index.ts';
import type { SessionName } from './session.ts';
import type { Bind } from './session-list-store.ts';
import { bindValues } from './session-list-store.ts';
import type { TransactionStep } from './session-sql.ts';

export type KnownPlayer = { playerUuid: string; playerId?: number; displayName?: string };

export type ListedPlayer = KnownPlayer & { registeredAt: Date };

/** The stored data of a player that joins need, registered or not. */
export type PlayerLookup = {
  readonly isRegistered: boolean;
  readonly playerId?: number | undefined;
};

/** A search text: a UUID, a legacy id, or a part of the display name. */
export type PlayerQuery = {
  text: string;
  uuid: string | undefined;
  playerId: number | undefined;
};

/** The last entry of a page. Neither part ever changes. */
type PlayerPosition = { registeredAt: Date; playerUuid: string };

export type PlayerSeat = {
  type: string;
  session_id: string;
  team_id: number;
  status: PlayerStatus;
  seated_at: Date;
  session_key: string;
  platform: string | null;
  client_version: string | null;
  invited_at: Date | null;
  joined_at: Date | null;
  absent_since: Date | null;
  ended_at: Date | null;
};

export type PlayerEvent = {
  event_id: string;
  occurred_at: Date;
  kind: string;
  account_id: string;
  type: string;
  session_id: string;
  session_version: number | null;
  detail: Record<string, unknown> | null;
};

export type PlayerStore = ReturnType<typeof createPlayerStore>;

export const createPlayerStore = ({ pool, keyedPool, prisma, ...database }: Database) => ({
  findPlayer: createBatcher(
    async (playerUuids): Promise<Map<string, KnownPlayer>> => {
      const rows = await runPrepared<PlayerRow>(keyedPool, FIND_PLAYERS, [playerUuids]);
      return new Map(rows.map((row) => [row.player_uuid, toKnownPlayer(row)]));
    },
    groupByShard(database, 'player'),
  ),

  findHolder: async (playerId: number): Promise<string | null> => {
    const claim = await prisma.playerLegacyId.findUnique({ where: { playerId: BigInt(playerId) } });
    return claim?.playerUuid ?? null;
  },

  /** Registers a player with its audit record; repeating a registration writes nothing. Errors: `player_id_taken`. */
  registerPlayer: async (actor: Actor, player: KnownPlayer, now: Date): Promise<void> => {
    const { playerUuid, playerId, displayName } = player;
    await prisma.$transaction(async (transaction) => {
      if (await isRegistered(transaction, player)) return;
      // Locks the player even when nothing changes: a deletion waits, and then deletes the legacy id as well.
      await transaction.$executeRaw`
        INSERT INTO player (player_uuid, display_name)
        VALUES (${playerUuid}::uuid, ${displayName ?? null})
        ON CONFLICT (player_uuid)
          DO UPDATE SET display_name = coalesce(excluded.display_name, player.display_name)`;
      if (playerId !== undefined) await claimLegacyId(playerUuid, playerId, idTaken)(transaction);
      const after = {
        ...(playerId !== undefined && { player_id: playerId }),
        ...(displayName !== undefined && { display_name: displayName }),
      };
      const target = { player_uuid: playerUuid };
      await appendAudit(transaction, actor, { action: 'players.register', target, after }, now);
    });
  },

  /**
   * Deletes the player's name, refused joins and legacy id, which another player may then claim. Seats in ended sessions and events
   * keep the UUID. This statement and a seat being written do not see each other. The sweeper then finds the audit
   * record and registers the player again. Errors: `player_not_found`, `player_seated`.
   */
  deletePlayer: async (actor: Actor, playerUuid: string, now: Date): Promise<void> => {
    await prisma.$transaction(async (transaction) => {
      // The player first: a concurrent join waits, and then registers the player again.
      const { count } = await transaction.player.deleteMany({ where: { playerUuid } });
      const refused = await transaction.refusedJoin.deleteMany({ where: { playerUuid } });
      if (count + refused.count === 0) throw new ServiceError('player_not_found');
      const seats = await transaction.$queryRawUnsafe<object[]>(FIND_LIVE_SEAT, playerUuid);
      if (seats.length > 0) throw new ServiceError('player_seated');
      await transaction.playerLegacyId.deleteMany({ where: { playerUuid } });
      const target = { player_uuid: playerUuid };
      await appendAudit(transaction, actor, { action: 'players.delete', target }, now);
    });
  },

  /** A live session in which the player has a seat, also one that has expired. */
  findLiveSession: async (playerUuid: string): Promise<SessionName | undefined> => {
    const [name] = await prisma.$queryRawUnsafe<SessionName[]>(FIND_LIVE_SEAT, playerUuid);
    return name;
  },

  listPlatforms: async (playerUuid: string): Promise<string[]> => {
    const rows = await prisma.sessionSeat.groupBy({
      by: 'platform',
      where: { playerUuid, platform: { not: null } },
      orderBy: { platform: 'asc' },
    });
    return rows.flatMap(({ platform }) => platform ?? []);
  },

  listPlayers: async (
    query: PlayerQuery | null,
    after: PlayerPosition | null,
    limit: number,
  ): Promise<ListedPlayer[]> => {
    const { text, values } = listStatement(query, after, limit);
    // Unnamed, so that it is planned for its values: a common name and a rare one need different indexes.
    return (await runPrepared<ListedRow>(pool, { name: '', text }, values)).map(toListedPlayer);
  },

  /** The number of matches, counted up to `most + 1`. */
  countPlayers: async (query: PlayerQuery | null, most: number): Promise<number> => {
    const list = listStatement(query, null, most + 1);
    const text = `SELECT count(*)::int AS count FROM (${list.text}) found`;
    const [row] = await runPrepared<{ count: number }>(pool, { name: '', text }, list.values);
    return row?.count ?? 0;
  },

  listSeats: (
    playerUuid: string,
    after: { seatedAt: Date; sessionKey: string } | null,
    limit: number,
  ): Promise<PlayerSeat[]> => {
    const { seatedAt = null, sessionKey = null } = after ?? {};
    return runPrepared<PlayerSeat>(pool, LIST_SEATS, [playerUuid, seatedAt, sessionKey, limit]);
  },

  listEvents: (playerUuid: string, after: string | null, limit: number): Promise<PlayerEvent[]> =>
    runPrepared<PlayerEvent>(pool, LIST_EVENTS, [playerUuid, after, limit]),
});

/** Registers players by UUID only. Does not cache them, since any process may delete a player at any time. */
export const createPlayerRegistration = ({ keyedPool, ...sharding }: ShardedPool) =>
  createBatcher<never>(
    async (playerUuids) => {
      const [shard] = playerUuids;
      const values = [shard, playerUuids.toSorted()];
      await runPrepared(keyedPool, REGISTER_PLAYERS(sharding.shards), values);
      return new Map<string, never>();
    },
    groupByNode(sharding, 'player'),
  );

/** The pool of the hot statements, and how its database is sharded. */
export type ShardedPool = Pick<Database, 'keyedPool' | 'shards' | 'shardRanges'>;

const FIND_PLAYERS = {
  name: 'find_players',
  text: `
    SELECT p.player_uuid, p.display_name, l.player_id
    FROM player p LEFT JOIN player_legacy_id l ON l.player_uuid = p.player_uuid
    WHERE p.player_uuid = ANY($1::uuid[])`,
};

/** Idempotent: of many concurrent first joins, one registers the player. On a cluster, the players of one node. */
const REGISTER_PLAYERS = (shards: number) => ({
  name: 'register_players',
  text: `SELECT register_players${shards > 1 ? '_of_node' : ''}($1::uuid, $2::uuid[])`,
});

const FIND_LIVE_SEAT = `
  SELECT s.type, s.session_id AS "sessionId" FROM session_seat p JOIN session s USING (session_key)
  WHERE p.player_uuid = $1::uuid AND s.ended_at IS NULL LIMIT 1`;

/** Ended sessions keep the seats of their players. The first predicate makes the index usable. */
const LIST_SEATS = {
  name: 'list_seats_of_player',
  text: `
    SELECT s.type, s.session_id, p.team_id, p.status, p.seated_at, p.session_key, p.platform,
      p.client_version, p.invited_at, p.joined_at, p.absent_since, s.ended_at
    FROM session_seat p JOIN session s USING (session_key)
    WHERE p.player_uuid = $1::uuid AND p.seated_at <= coalesce($2::timestamptz, 'infinity')
      AND ($2::timestamptz IS NULL OR p.seated_at < $2::timestamptz OR p.session_key > $3::uuid)
    ORDER BY p.seated_at DESC, p.session_key LIMIT $4`,
};

const LIST_EVENTS = {
  name: 'list_events_of_player',
  text: `
    SELECT e.event_id, e.occurred_at, e.kind, e.account_id, s.type, s.session_id,
      e.session_version, e.detail
    FROM session_event e JOIN session s USING (session_key)
    WHERE e.player_uuid = $1::uuid
      AND e.event_id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    ORDER BY e.event_id DESC LIMIT $3`,
};

const SELECT_PLAYERS = `
  SELECT p.player_uuid, p.display_name, p.registered_at, l.player_id
  FROM player p LEFT JOIN player_legacy_id l USING (player_uuid)`;

export const listStatement = (
  query: PlayerQuery | null,
  after: PlayerPosition | null,
  limit: number,
): { text: string; values: unknown[] } => {
  const { values, bind } = bindValues();
  const predicates = ['true'];
  if (after) {
    const at = bind(after.registeredAt, 'timestamptz');
    const uuid = bind(after.playerUuid, 'uuid');
    predicates.push(
      `p.registered_at <= ${at} AND (p.registered_at < ${at} OR p.player_uuid > ${uuid})`,
    );
  }
  if (query) predicates.push(`p.player_uuid IN (${selectMatching(query, bind)})`);
  const text = `${SELECT_PLAYERS} WHERE ${predicates.join(' AND ')}
    ORDER BY p.registered_at DESC, p.player_uuid LIMIT ${bind(limit, 'int')}`;
  return { text, values };
};

/** Each kind of name has its own index. */
const selectMatching = ({ text, uuid, playerId }: PlayerQuery, bind: Bind): string => {
  if (uuid !== undefined) return bind(uuid, 'uuid');
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const named = `SELECT n.player_uuid FROM player n WHERE n.display_name ILIKE ${bind(pattern, 'text')}`;
  if (playerId === undefined) return named;
  const held = `SELECT h.player_uuid FROM player_legacy_id h WHERE h.player_id = ${bind(playerId, 'bigint')}`;
  return `${named} UNION ALL ${held}`;
};

type PlayerRow = { player_uuid: string; display_name: string | null; player_id: number | null };

const toKnownPlayer = (row: PlayerRow): KnownPlayer => ({
  playerUuid: row.player_uuid,
  ...(row.player_id !== null && { playerId: row.player_id }),
  ...(row.display_name !== null && { displayName: row.display_name }),
});

type ListedRow = PlayerRow & { registered_at: Date };

const toListedPlayer = (row: ListedRow): ListedPlayer => ({
  ...toKnownPlayer(row),
  registeredAt: row.registered_at,
});

const isRegistered = async (
  transaction: Prisma.TransactionClient,
  { playerUuid, playerId, displayName }: KnownPlayer,
): Promise<boolean> => {
  const player = await transaction.player.findUnique({ where: { playerUuid } });
  const claim = await transaction.playerLegacyId.findUnique({ where: { playerUuid } });
  return (
    player !== null &&
    (displayName === undefined || displayName === player.displayName) &&
    (playerId === undefined || claim?.playerId === BigInt(playerId))
  );
};

const idTaken = (): ServiceError =>
  new ServiceError('player_id_taken', {
    desc: 'The legacy id belongs to another player, or the player has another legacy id.',
  });

/**
 * Records a legacy id for a player. Throws the given error when the id belongs to another player, or the player has
 * another id: both are unique until the player is deleted.
 */
export const claimLegacyId =
  (playerUuid: string, playerId: number, refusal: () => ServiceError): TransactionStep =>
  async (transaction) => {
    const data = { playerId: BigInt(playerId), playerUuid };
    await transaction.playerLegacyId.createMany({ data, skipDuplicates: true });
    const claim = await transaction.playerLegacyId.findUnique({ where: { playerUuid } });
    if (claim?.playerId !== data.playerId) throw refusal();
  };

/** Registers players who may be registered already. Sorted ids keep two transactions from waiting for each other. */
export const registerPlayers =
  (playerUuids: readonly string[]): TransactionStep =>
  async (transaction) => {
    if (playerUuids.length === 0) return;
    const data = playerUuids.toSorted().map((playerUuid) => ({ playerUuid }));
    await transaction.player.createMany({ data, skipDuplicates: true });
  };
