import type { Database, Prisma } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { Actor } from '../audit/index.ts';
import { appendAudit } from '../audit/index.ts';
import { createBatcher } from '../batching/index.ts';
import { ServiceError } from '../errors/service-error.ts';

export type KnownPlayer = { playerUuid: string; playerId?: number; displayName?: string };

const FIND_PLAYERS = {
  name: 'find_players',
  text: `
    SELECT p.player_uuid, p.display_name, l.player_id
    FROM player p LEFT JOIN player_legacy_id l ON l.player_uuid = p.player_uuid
    WHERE p.player_uuid = ANY($1::uuid[])`,
};

/** Idempotent: of many first joins at once, one registers the player. */
const REGISTER_PLAYERS = {
  name: 'register_players',
  text: `
    INSERT INTO player (player_uuid)
    SELECT unnest($1::uuid[])
    ON CONFLICT (player_uuid) DO NOTHING`,
};

export type PlayerRegistration = { playerUuid: string; playerId?: number; displayName?: string };

type PlayerRow = { player_uuid: string; display_name: string | null; player_id: number | null };

const toKnownPlayer = (row: PlayerRow): KnownPlayer => ({
  playerUuid: row.player_uuid,
  ...(row.player_id !== null && { playerId: row.player_id }),
  ...(row.display_name !== null && { displayName: row.display_name }),
});

export type PlayerStore = ReturnType<typeof createPlayerStore>;

export const createPlayerStore = ({ keyedPool, prisma }: Database) => ({
  findPlayer: createBatcher(async (playerUuids): Promise<Map<string, KnownPlayer>> => {
    const rows = await runPrepared<PlayerRow>(keyedPool, FIND_PLAYERS, [playerUuids]);
    return new Map(rows.map((row) => [row.player_uuid, toKnownPlayer(row)]));
  }),

  /** The player who holds a legacy id. */
  findHolder: async (playerId: number): Promise<string | null> => {
    const claim = await prisma.playerLegacyId.findUnique({ where: { playerId: BigInt(playerId) } });
    return claim?.playerUuid ?? null;
  },

  /** Makes a player known by the UUID alone. */
  registerUuid: createBatcher<never>(async (playerUuids) => {
    await runPrepared(keyedPool, REGISTER_PLAYERS, [playerUuids]);
    return new Map<string, never>();
  }),

  /** Registers a player with its audit record. Errors: `player_id_taken`. */
  registerPlayer: async (
    actor: Actor,
    { playerUuid, playerId, displayName }: PlayerRegistration,
    now: Date,
  ): Promise<void> => {
    await prisma.$transaction(async (transaction) => {
      if (await isRegistered(transaction, { playerUuid, playerId, displayName })) return;
      await upsertPlayer(transaction, playerUuid, displayName);
      if (playerId !== undefined && !(await claimLegacyId(transaction, playerUuid, playerId))) {
        throw new ServiceError('player_id_taken', { desc: ID_TAKEN });
      }
      const after = {
        ...(playerId !== undefined && { player_id: playerId }),
        ...(displayName !== undefined && { display_name: displayName }),
      };
      const target = { player_uuid: playerUuid };
      await appendAudit(transaction, actor, { action: 'players.register', target, after }, now);
    });
  },
});

const ID_TAKEN = 'The legacy id belongs to another player, or the player has another legacy id.';

/** True when the player is known by everything that is said; repeating a registration writes nothing. */
const isRegistered = async (
  transaction: Prisma.TransactionClient,
  { playerUuid, playerId, displayName }: Wish,
): Promise<boolean> => {
  const player = await transaction.player.findUnique({ where: { playerUuid } });
  const claim = await transaction.playerLegacyId.findUnique({ where: { playerUuid } });
  return (
    player !== null &&
    (displayName === undefined || displayName === player.displayName) &&
    (playerId === undefined || claim?.playerId === BigInt(playerId))
  );
};

type Wish = {
  playerUuid: string;
  playerId: number | undefined;
  displayName: string | undefined;
};

const upsertPlayer = async (
  transaction: Prisma.TransactionClient,
  playerUuid: string,
  displayName: string | undefined,
): Promise<void> => {
  await transaction.player.upsert({
    where: { playerUuid },
    create: { playerUuid, displayName: displayName ?? null },
    update: displayName === undefined ? {} : { displayName },
  });
};

/**
 * Records a legacy id for a player. False when the id belongs to another player, or the player holds
 * another id: both are unique for ever.
 */
export const claimLegacyId = async (
  transaction: Prisma.TransactionClient,
  playerUuid: string,
  playerId: number,
): Promise<boolean> => {
  await transaction.$executeRaw`
    INSERT INTO player_legacy_id (player_id, player_uuid)
    VALUES (${BigInt(playerId)}, ${playerUuid}::uuid) ON CONFLICT DO NOTHING`;
  const claim = await transaction.playerLegacyId.findUnique({ where: { playerUuid } });
  return claim?.playerId === BigInt(playerId);
};
