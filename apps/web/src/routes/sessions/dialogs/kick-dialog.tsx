import { Text } from '@mantine/core';
import { api } from '../../../api/trpc.ts';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx';
import { usePlayerNaming } from '../../../features/players/player-names.ts';
import { findHeir } from '../board/find-heir.ts';
import type { LiveSession, SeatedPlayer } from '../live-session.ts';
import { useSessionChange } from '../live-session.ts';

type KickDialogProps = {
  opened: boolean;
  onClose: () => void;
  session: LiveSession['session'];
  player: SeatedPlayer;
};

export const KickDialog = ({ opened, onClose, session, player }: KickDialogProps) => {
  const { label } = usePlayerNaming(player.player_uuid);
  const change = useSessionChange();
  const isHeld = player.status === 'invited' || player.status === 'reserved';
  const seat = {
    type: session.type,
    session_id: session.session_id,
    player_uuid: player.player_uuid,
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={isHeld ? `Take back the seat held for ${label}?` : `Kick ${label}?`}
      action={isHeld ? 'Take back' : 'Kick'}
      isDestructive
      onConfirm={() => change(api.sessions.removePlayer.mutate(seat))}
    >
      <Text>
        The seat becomes free at once.{' '}
        {session.joinable && 'The session is open to everyone: the player can join again.'}
      </Text>
      {player.status === 'leader' && <Succession session={session} player={player} />}
    </ConfirmDialog>
  );
};

const Succession = ({ session, player }: Pick<KickDialogProps, 'session' | 'player'>) => {
  const heir = findHeir(session.teams, player.player_uuid);
  const { label } = usePlayerNaming(heir?.player_uuid);
  return (
    <Text mt="xs" fw={550}>
      {heir
        ? `${label} will lead: the longest here after the leader.`
        : 'Nobody else is here: the next one who joins will lead.'}
    </Text>
  );
};
