import { Group, Modal, Radio, Text } from '@mantine/core';
import { api } from '../../api/client.ts';
import { JsonBlock } from '../../ui/copyable.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialogs.tsx';
import { useServerForm } from '../../ui/forms.tsx';
import { usePlayerNaming } from '../players/player-name.tsx';
import { PlayerPicker } from '../players/player-picker.tsx';
import { findNextLeader } from './board-rules.ts';
import type { LiveSession, SeatedPlayer } from './live-session.ts';
import { nameOf, SESSION_KEYS } from './live-session.ts';

type InviteDialogProps = {
  onClose: () => void;
  session: LiveSession['session'];
  teamId: number;
};

export const InviteDialog = ({ onClose, teamId, session }: InviteDialogProps) => {
  const team = { ...nameOf(session), team_id: teamId };
  const server = useServerForm({
    initialValues: { player_uuid: '', status: 'invited' as 'invited' | 'reserved' },
    validate: { player_uuid: (value) => (value === '' ? 'Choose a player.' : null) },
    send: (values) => api.sessions.invitePlayer.mutate({ ...team, ...values }),
    invalidates: SESSION_KEYS,
    onDone: onClose,
  });
  const { form } = server;
  return (
    <FormDialog
      title={`Hold a seat in team ${teamId}`}
      server={server}
      action="Hold the seat"
      onClose={onClose}
    >
      <PlayerPicker
        description="Enter the UUID of a player who is not known yet."
        isRequired
        autoFocus
        value={form.values.player_uuid}
        onChange={(player_uuid) => form.setFieldValue('player_uuid', player_uuid)}
        error={form.errors.player_uuid}
      />
      <Radio.Group label="Hold the seat as" {...form.getInputProps('status')}>
        <Group mt={6} gap="lg">
          <Radio value="invited" label="Invitation" />
          <Radio value="reserved" label="Reservation" />
        </Group>
      </Radio.Group>
    </FormDialog>
  );
};

type KickDialogProps = {
  opened: boolean;
  onClose: () => void;
  session: LiveSession['session'];
  player: SeatedPlayer;
};

export const KickDialog = ({ opened, onClose, session, player }: KickDialogProps) => {
  const { label } = usePlayerNaming(player.player_uuid);
  const isHeld = player.status === 'invited' || player.status === 'reserved';
  const seat = { ...nameOf(session), player_uuid: player.player_uuid };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={isHeld ? `Take back the seat held for ${label}?` : `Kick ${label}?`}
      action={isHeld ? 'Take back' : 'Kick'}
      isDestructive
      onConfirm={() => api.sessions.removePlayer.mutate(seat)}
      invalidates={SESSION_KEYS}
    >
      <Text>
        The seat becomes free at once.{' '}
        {session.joinable && 'The session is open to everyone: the player can join again.'}
      </Text>
      {player.status === 'leader' && <NextLeader session={session} player={player} />}
    </ConfirmDialog>
  );
};

const NextLeader = ({ session, player }: Pick<KickDialogProps, 'session' | 'player'>) => {
  const nextLeader = findNextLeader(session.teams, player.player_uuid);
  const { label } = usePlayerNaming(nextLeader?.player_uuid);
  return (
    <Text mt="xs" fw={550}>
      {nextLeader
        ? `${label} will lead: the longest here after the leader.`
        : 'No one else is seated: the next player who joins becomes leader.'}
    </Text>
  );
};

type SeatDialogProps = { opened: boolean; onClose: () => void; player: SeatedPlayer };

/** All data of one player in the session. */
export const SeatDialog = ({ opened, onClose, player }: SeatDialogProps) => {
  const { label } = usePlayerNaming(player.player_uuid);
  return (
    <Modal opened={opened} onClose={onClose} title={`Seat of ${label}`}>
      <JsonBlock label="seat" value={player} />
    </Modal>
  );
};
