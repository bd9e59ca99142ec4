// The player who joins, and what is known of them. Players who join on their own behalf stay strangers until something
// depends on what is stored of them; who is acted for, or named by a legacy id, is looked up before.
import { ServiceError } from '../errors/service-error.ts';
import type { PlayerStore } from '../players/index.ts';
import type { FoundPlayer, Stranger } from '../sessions/index.ts';
import type { JoinInput } from './join-attempt.ts';

export class JoiningPlayer implements Stranger {
  readonly playerUuid: string;
  playerId: number | undefined;
  isLookedUp = false;
  /** False once it is known that nobody has registered the player. */
  isRegistered = true;
  readonly #players: Pick<PlayerStore, 'findPlayer'>;
  #lookUp: Promise<void> | undefined;

  constructor(playerUuid: string, players: Pick<PlayerStore, 'findPlayer'>) {
    this.playerUuid = playerUuid;
    this.#players = players;
  }

  lookUp(): Promise<void> {
    this.#lookUp ??= this.#find();
    return this.#lookUp;
  }

  hear({ playerId, isRegistered }: Omit<FoundPlayer, 'playerUuid'>): void {
    this.playerId = playerId;
    this.isRegistered = isRegistered;
  }

  async #find(): Promise<void> {
    const found = await this.#players.findPlayer(this.playerUuid);
    this.hear({ ...found, isRegistered: found !== undefined });
    this.isLookedUp = true;
  }
}

/**
 * Looks the player up. Others can join only for players who are known, and nobody under a legacy id that is not the
 * player's. Errors: `player_not_found`.
 */
export const identify = async (
  players: Pick<PlayerStore, 'findHolder'>,
  player: JoiningPlayer,
  { playerId }: JoinInput,
  isSelf: boolean,
): Promise<void> => {
  await player.lookUp();
  if (!player.isRegistered && !isSelf) throw new ServiceError('player_not_found');
  if (playerId === undefined) return;
  if (player.playerId !== undefined && player.playerId !== playerId) {
    throw new ServiceError('player_not_found', { desc: HAS_ANOTHER });
  }
  if (isSelf || player.playerId !== undefined) return;
  // Checked before the rules; the claim itself, made with the write, settles a race for the id.
  const holder = await players.findHolder(playerId);
  if (holder && holder !== player.playerUuid) {
    throw new ServiceError('player_not_found', HELD_BY_ANOTHER);
  }
};

const HAS_ANOTHER = 'The player has another legacy id than player_id.';

export const HELD_BY_ANOTHER = { desc: 'player_id is the legacy id of another player.' };
