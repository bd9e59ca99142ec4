import { Modal } from '@mantine/core';
import { usePlayerNaming } from '../../../features/players/player-names.ts';
import { JsonBlock } from '../../../features/sessions/json-block.tsx';
import type { SeatedPlayer } from '../live-session.ts';

type SeatDialogProps = { opened: boolean; onClose: () => void; player: SeatedPlayer };

/** Everything that the session says about one player. */
export const SeatDialog = ({ opened, onClose, player }: SeatDialogProps) => {
  const { label } = usePlayerNaming(player.player_uuid);
  return (
    <Modal opened={opened} onClose={onClose} title={`Seat of ${label}`}>
      <JsonBlock label="seat" value={player} />
    </Modal>
  );
};
