// Invitations as backends send them, with the stored legacy id of their player.
import type { HeldSeatInput } from '@muster/contract';
import { ServiceError } from '../platform/index.ts';
import { claimLegacyId } from './player-store.ts';
import type { Invitation } from './seat-rules.ts';
import type { TransactionStep } from './session-sql.ts';

export type FindPlayer = (playerUuid: string) => Promise<{ playerId?: number } | undefined>;

/** The player does not have the legacy id yet when `isNewId`: it must be claimed with the seat. */
type ResolvedInvitation = { invitation: Invitation; isNewId: boolean };

export type ResolveInvitation = (
  input: HeldSeatInput & { renew?: boolean | undefined },
) => Promise<ResolvedInvitation>;

/** Errors: `player_id_taken`. */
export const createInvitationResolver =
  (findPlayer: FindPlayer): ResolveInvitation =>
  async (input) => {
    const { player_uuid: playerUuid } = input;
    const known = (await findPlayer(playerUuid))?.playerId;
    const playerId = input.player_id ?? known;
    if (known !== undefined && playerId !== known) {
      throw new ServiceError('player_id_taken', { desc: 'The player has another legacy id.' });
    }
    return {
      invitation: {
        playerUuid,
        playerId,
        teamId: input.team_id,
        status: input.status,
        invitingPlayerUuid: input.inviting_player_uuid,
        sourceSessionId: input.source_session_id,
        renew: input.renew,
      },
      isNewId: playerId !== undefined && known === undefined,
    };
  };

/** The legacy ids that must be claimed with the seats. */
export const listNewIds = (resolved: readonly ResolvedInvitation[]) =>
  resolved.flatMap(({ invitation: { playerUuid, playerId }, isNewId }) =>
    isNewId && playerId !== undefined ? [{ playerUuid, playerId }] : [],
  );

/** The same as steps of a transaction. */
export const claimNewIds = (resolved: readonly ResolvedInvitation[]): TransactionStep[] =>
  listNewIds(resolved).map(({ playerUuid, playerId }) =>
    claimLegacyId(playerUuid, playerId, () => new ServiceError('player_id_taken')),
  );
